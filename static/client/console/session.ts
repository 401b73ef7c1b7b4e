/** Tabs of the console tell each other that somebody has signed in, so that a form which waited for it can be sent. */

const name = 'sluice.session'

/** Tells the other tabs. */
export function announceSession(): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage('opened')
  channel.close()
}

/** Calls `listener` when another tab has signed in; the answer stops that. */
export function onSession(listener: () => void): () => void {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
