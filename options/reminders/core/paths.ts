/** The paths of the API that shoppers call for their own reminders. */
export const paths = ['/api/reminders'] as const
