/** Events in the order of their time: lists by millisecond, because a million of them wait at once. */
export type Agenda<T> = {
  /** `at` in ms since the agenda's beginning; what is past comes next. */
  add(at: number, event: T): void
  /** The next event with its time; undefined while there are no events. */
  next(): { at: number; event: T } | undefined
}

export function openAgenda<T>(): Agenda<T> {
  const lists: (T[] | undefined)[] = []
  let present = 0
  return {
    add(at, event) {
      const index = Math.max(present, Math.floor(at))
      const list = lists[index]
      if (list === undefined) lists[index] = [event]
      else list.push(event)
    },
    next() {
      for (; present < lists.length; present += 1) {
        const event = lists[present]?.pop()
        if (event !== undefined) return { at: present, event }
        lists[present] = undefined
      }
      return undefined
    },
  }
}
