/** The service does its work, and its client gets no answer. */
export function loseAnswer(response: { destroy: () => void; end: unknown }): void {
  response.end = () => response.destroy()
}
