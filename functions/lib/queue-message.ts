/** A message as a queue delivers it to its consumer. */
export type QueueMessage = { messageId: string; body: string }
