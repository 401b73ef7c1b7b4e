/** Virtual time: it passes only when the simulation advances it. Epoch ms throughout. */

export type Alarm<Owner> = { at: number; owner: Owner; ring: () => void }

export type VirtualClock<Owner> = {
  now: () => number
  advance: (milliseconds: number) => void
  set: (alarm: Alarm<Owner>) => void
  clear: (alarm: Alarm<Owner>) => void
  /** Alarms that are due, the earliest first. */
  due: () => readonly Alarm<Owner>[]
  all: () => readonly Alarm<Owner>[]
}

export function virtualClock<Owner>(start: number): VirtualClock<Owner> {
  let now = start
  // By time, and by the order of setting where times are equal.
  const alarms: Alarm<Owner>[] = []
  return {
    // A real clock shows whole milliseconds.
    now: () => Math.floor(now),
    advance: (milliseconds) => {
      now += milliseconds
    },
    set: (alarm) => {
      let at = alarms.length
      while (at > 0 && (alarms[at - 1]?.at ?? 0) > alarm.at) at -= 1
      alarms.splice(at, 0, alarm)
    },
    clear: (alarm) => {
      const at = alarms.indexOf(alarm)
      if (at !== -1) alarms.splice(at, 1)
    },
    due: () => {
      const end = alarms.findIndex(({ at }) => at > now)
      return end === -1 ? [...alarms] : alarms.slice(0, end)
    },
    all: () => [...alarms],
  }
}
