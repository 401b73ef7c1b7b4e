/** Buttons, and the link back; one that works for a while stays focusable meanwhile, so that the keyboard keeps its place. */
import type { ButtonHTMLAttributes } from 'preact'
import { useRef, useState } from 'preact/hooks'

type Props = Omit<ButtonHTMLAttributes, 'onClick'> & { look: 'main' | 'plain' | 'danger'; work(): Promise<unknown> }

/** Runs one action at a time. */
export function WorkButton({ look, work, ...props }: Props) {
  const [press, isBusy] = useOneAtATime(work)
  return (
    <button
      type="button"
      {...props}
      class={`button button--${look}`}
      aria-disabled={isBusy || undefined}
      onClick={press}
    />
  )
}

/** A button that acts at once, and is not the main one of its view. */
export function PlainButton(props: ButtonHTMLAttributes) {
  return <button type="button" class="button button--plain" {...props} />
}

/** Starts `work` unless it is at work already, and whether it is. */
export function useOneAtATime(work: () => Promise<unknown>): [start: () => void, isBusy: boolean] {
  const [isBusy, setBusy] = useState(false)
  const busy = useRef(false)
  const start = async () => {
    if (busy.current) return
    busy.current = true
    setBusy(true)
    await work()
    busy.current = false
    setBusy(false)
  }
  return [() => void start(), isBusy]
}

/** The link above a view that leads back to where it was opened from. */
export function BackLink({ to, text }: { to: string; text: string }) {
  return (
    <p>
      <a class="back" href={to}>
        {text}
      </a>
    </p>
  )
}
