/** A choice of a few short words in one row: radio buttons that look like one switch. */

type Props<Value extends string> = {
  /** That of the radio buttons, whose ids end with their value. */
  name: string
  legend: string
  options: readonly (readonly [value: Value, label: string])[]
  chosen: Value
  choose(value: Value): void
}

export function Segments<Value extends string>({ name, legend, options, chosen, choose }: Props<Value>) {
  return (
    <fieldset class="segments">
      <legend class="unseen">{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value} class="segment">
          <input
            type="radio"
            name={name}
            value={value}
            id={`${name}-${value}`}
            class="unseen"
            checked={value === chosen}
            onChange={() => choose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
