/** A message as a queue hands it to its consumer. */
export type QueueMessage = { messageId: string; body: string }
