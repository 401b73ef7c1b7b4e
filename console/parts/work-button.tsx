/** Draws buttons and the back link. A busy button stays focusable, so that the keyboard keeps its place. */
import type { ButtonHTMLAttributes } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { onePressAtATime } from './one-at-a-time.ts'

type Props = Omit<ButtonHTMLAttributes, 'onClick'> & { look: 'main' | 'plain' | 'danger'; work(): Promise<unknown> }

/** Runs one action at a time. */
export function WorkButton({ look, work, ...props }: Props) {
  const [press, isBusy] = useOneAtATime(work)
  return <button type="button" {...props} {...busy(isBusy)} class={`button button--${look}`} onClick={() => press()} />
}

/** A secondary button. */
export function PlainButton(props: ButtonHTMLAttributes) {
  return <button type="button" class="button button--plain" {...props} />
}

/** Returns the attributes of a busy button. */
export const busy = (isBusy: boolean) => (isBusy ? ({ 'aria-busy': true, 'aria-disabled': true } as const) : {})

/** Returns a function that runs `work` after `ready`, unless it is busy, and whether it is. */
export function useOneAtATime<Args extends unknown[] = []>(
  work: (...args: Args) => unknown,
  ready?: (...args: Args) => unknown,
): [start: (...args: Args) => void, isBusy: boolean] {
  const [isBusy, setBusy] = useState(false)
  const latest = useRef({ work, ready })
  latest.current = { work, ready }
  const start = useRef(
    onePressAtATime<Args>(
      () => latest.current.work,
      (...args) => latest.current.ready?.(...args),
      setBusy,
    ),
  ).current
  return [(...args) => void start(...args), isBusy]
}

/** The link above a view, back to where it was opened. */
export function BackLink({ to, text }: { to: string; text: string }) {
  return (
    <p>
      <a class="back" href={to}>
        {text}
      </a>
    </p>
  )
}
