/** Whether the arguments of a command ask for its usage, which is no error then. */
export const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h')
