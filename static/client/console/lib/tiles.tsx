/** Numbers side by side, each below its name. */
import type { ComponentChildren } from 'preact'

export type Tile = {
  name: string
  value: ComponentChildren
  id?: string
  /** What the value is to be compared with. */
  aside?: string | undefined
  hint?: string
  isAlarm?: boolean
}

export function Tiles({
  all,
  look = '',
  isHidden = false,
}: {
  all: readonly Tile[]
  look?: string
  isHidden?: boolean
}) {
  return (
    <dl class={`tiles ${look}`} hidden={isHidden}>
      {all.map(({ name, value, id, aside, hint, isAlarm }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd id={id} data-alarm={isAlarm ? '' : undefined}>
            {value}
            {aside !== undefined && <small>{aside}</small>}
          </dd>
          {hint !== undefined && <dd class="tiles__hint">{hint}</dd>}
        </div>
      ))}
    </dl>
  )
}
