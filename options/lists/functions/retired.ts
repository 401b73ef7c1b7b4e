/** Written by `npm run build` from the folders of the options: do not edit. */
export const retired = [] as const
