/** True when the arguments ask for the usage, which is then no error. */
export const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h')
