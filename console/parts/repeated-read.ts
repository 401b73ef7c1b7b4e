/** Polls values for views. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FailedReply } from '../../client/http.ts'
import type { SystemHealth } from '../../core/api/health.ts'
import { type Answer, control } from '../api.ts'

/**
 * Returns the last value of `read`; undefined before the first answer. Polls every `everyMs` while `isOn` and the page is
 * visible, and restarts when `about` changes. `seen` receives each answer.
 */
export function useRepeatedRead<Value>(
  everyMs: number,
  read: () => Promise<Answer<Value>>,
  { about = '', isOn = true, seen }: { about?: string; isOn?: boolean; seen?(answer: Answer<Value>): void } = {},
): Value | undefined {
  const [value, setValue] = useState<Value>()
  const latest = useRef({ read, seen })
  latest.current = { read, seen }
  useEffect(() => {
    if (!isOn) return undefined
    let isGone = false
    const look = async () => {
      if (document.hidden) return
      const answer = await latest.current.read()
      if (isGone) return
      latest.current.seen?.(answer)
      if (answer.ok) setValue(answer.value)
    }
    void look()
    const timer = window.setInterval(look, everyMs)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [about, isOn])
  return value
}

/** Polls the health of the system. `isLost`: the last request had no answer. */
export function useHealth(everyMs: number, fail?: (reply: FailedReply) => void) {
  const [isLost, setIsLost] = useState(false)
  const seen = (answer: Answer<SystemHealth>) => {
    setIsLost(!answer.ok)
    if (!answer.ok) fail?.(answer.reply)
  }
  return { health: useRepeatedRead(everyMs, control.getHealth, { seen }), isLost }
}
