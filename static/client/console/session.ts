/** Notifies other tabs of the console of a sign-in, so that a waiting form can be sent. */

const name = 'sluice.session'

/** Notifies the other tabs. */
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
