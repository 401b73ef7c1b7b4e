/** What is answered to every change of an archived sale: its keys are gone, and nothing may put them back. */
export const archivedDetail =
  'The sale is archived. Its orders can still be read and refunded; nothing else in it changes.'
