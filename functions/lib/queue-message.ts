/** A message as a queue hands it to its consumer. */
export type Mail = { messageId: string; body: string }
