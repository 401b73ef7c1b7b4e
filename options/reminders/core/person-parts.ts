/** The part of a shopper's own data with the reminders. */
export const personParts = ['reminders'] as const
