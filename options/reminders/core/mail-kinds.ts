/** The kinds of e-mails that a reminder may be. */
export const mailKinds = ['reminder', 'units-back'] as const
