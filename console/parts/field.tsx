/** Draws inputs with their label, hint and error. */
import {
  type ButtonHTMLAttributes,
  type ComponentChildren,
  createContext,
  type FormHTMLAttributes,
  type PartialInputHTMLAttributes,
  type PartialSelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'preact'
import { useContext } from 'preact/hooks'
import { isColour } from '../../core/brand.ts'
import { momentText } from '../../templates/messages/time-text.ts'
import { useView } from '../view.ts'
import { repeatedTimes, secondMark } from './typed.ts'
import { busy, useOneAtATime } from './work-button.tsx'

export type FieldProps = {
  /** The path of the field, from which ids are derived. */
  name: string
  label: string
  hint?: string | undefined
  /** The error of the input; empty while it is valid. */
  error?: string | undefined
  isHidden?: boolean | undefined
}

/** `children` is the input, with the attributes of `fieldInput`. `full` is its limit once it is reached. */
export function Field(props: FieldProps & { full?: number | undefined; children: ComponentChildren }) {
  const { name, label, hint = '', error = '', isHidden = false, full, children } = props
  const { voice } = useView()
  const id = fieldId(name)
  return (
    <div class="field" data-field={name} hidden={isHidden}>
      <label for={id}>{label}</label>
      {children}
      <p class="field__hint" id={`${id}-hint`}>
        {hint}
      </p>
      <p class="field__error" id={`${id}-error`} role={full === undefined ? undefined : 'status'}>
        {error || (full !== undefined && voice.t('field.full', { max: full }))}
      </p>
    </div>
  )
}

/** Returns the limit once it is reached, because browsers silently cut pasted text. Codes have a fixed length. */
export function fullAt({ value, maxlength }: { value: string; maxlength?: unknown }): number | undefined {
  return typeof maxlength === 'number' && maxlength > 3 && value.length >= maxlength ? maxlength : undefined
}

/** Returns the attributes that name and describe an input. */
export function fieldInput(name: string, error = '') {
  const id = fieldId(name)
  return { id, name, 'aria-describedby': `${id}-hint ${id}-error`, 'aria-invalid': error !== '' } as const
}

/** Focuses the input of that field, if the page has one. */
export const focusField = (name: string): void => document.getElementById(fieldId(name))?.focus()

const fieldId = (name: string) => `field-${name.replaceAll('.', '-')}`

/** Attributes for ids and other text outside of dictionaries. */
export const verbatim = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const

type Entered = { value: string; enter(value: string): void }
type InputAttributes = Omit<
  PartialInputHTMLAttributes<HTMLInputElement>,
  'role' | 'type' | 'list' | 'value' | 'name'
> & { list?: string }
type TextareaAttributes = Omit<TextareaHTMLAttributes, 'value' | 'name'>
type SelectAttributes = Omit<PartialSelectHTMLAttributes<HTMLSelectElement>, 'role' | 'value'>

type TextProps = Entered & { field: FieldProps }

type TextFieldProps = TextProps & InputAttributes & { type?: 'date' }

/** `field` describes the input, and the rest are attributes of it. */
export function TextField({ field, enter, list, ...attributes }: TextFieldProps) {
  return (
    <Field {...field} full={fullAt(attributes)}>
      <input
        {...fieldInput(field.name, field.error)}
        {...attributes}
        list={list}
        onInput={(event) => enter(event.currentTarget.value)}
      />
    </Field>
  )
}

type TimeProps = TextProps & Omit<InputAttributes, 'list'> & { zone: string | undefined }

/**
 * A day and a time in `zone`, or in the browser's. A half typed one is `?`, because browsers report it as empty. If the
 * clocks show it twice, either can be chosen.
 */
export function TimeField({ field, enter, value, zone, ...attributes }: TimeProps) {
  const { voice } = useView()
  const read = ({ validity, value: typed }: HTMLInputElement) => enter(validity.badInput ? '?' : typed)
  const typed = value.replace(secondMark, '')
  const choices = repeatedTimes(value, zone).map((ms, n): Option => {
    const time = momentText(ms, voice.locale(), { zone: true, ...(zone && { timeZone: zone }) })
    return n === 0 ? ['', voice.t('field.firstTime', { time })] : [secondMark, voice.t('field.secondTime', { time })]
  })
  // Browsers send no `input` event while a time is half typed.
  const look = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    if (input.validity.badInput !== (value === '?')) read(input)
  }
  return (
    <Field {...field}>
      <input
        {...fieldInput(field.name, field.error)}
        {...attributes}
        type="datetime-local"
        step={1}
        value={typed === '?' ? '' : typed}
        onInput={(event) => read(event.currentTarget)}
        onKeyUp={look}
        onBlur={look}
      />
      {choices.length > 0 && (
        <Select
          id={`${fieldId(field.name)}-twice`}
          aria-label={`${field.label}: ${voice.t('field.twice')}`}
          disabled={attributes.readonly}
          options={choices}
          value={value.slice(typed.length)}
          enter={(mark) => enter(typed + mark)}
        />
      )}
    </Field>
  )
}

export function TextArea({ field, enter, ...attributes }: TextProps & TextareaAttributes) {
  return (
    <Field {...field} full={fullAt(attributes)}>
      <textarea
        {...fieldInput(field.name, field.error)}
        {...attributes}
        onInput={(event) => enter(event.currentTarget.value)}
      />
    </Field>
  )
}

/** `options` are the words for each value. */
export function SelectField({
  field,
  ...props
}: SelectAttributes & Entered & { field: FieldProps; options: readonly Option[] }) {
  return (
    <Field {...field}>
      <Select {...fieldInput(field.name, field.error)} {...props} />
    </Field>
  )
}

type Option = readonly [value: string, words: string]

export function Select({ options, enter, ...attributes }: SelectAttributes & Entered & { options: readonly Option[] }) {
  return (
    <select {...attributes} onChange={(event) => enter(event.currentTarget.value)}>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  )
}

const IsSent = createContext(false)

type FormProps = FormHTMLAttributes & { submit(): unknown; ready?(): unknown }

/** A form that the script submits: once for all clicks until it is sent, and only when it is `ready`. */
export function Form({ submit, ready, ...attributes }: FormProps) {
  const [send, isSent] = useOneAtATime(submit, ready)
  return (
    <IsSent.Provider value={isSent}>
      <form
        noValidate
        {...attributes}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      />
    </IsSent.Provider>
  )
}

/** Submits its form. */
export function SubmitButton({
  look,
  ...attributes
}: Omit<ButtonHTMLAttributes, 'type'> & { look?: 'plain' | 'danger' }) {
  return (
    <button
      type="submit"
      class={`button${look ? ` button--${look}` : ''}`}
      {...busy(useContext(IsSent))}
      {...attributes}
    />
  )
}

/** `usual` is what the choice shows while no colour is entered; `pickId` is the id of its input. */
type ColourProps = { field: FieldProps; value: string; enter(value: string): void; usual: string; pickId: string }

/** A colour as text, with the browser's colour picker. */
export function ColourField({ field, value, enter, usual, pickId }: ColourProps) {
  const { voice } = useView()
  const text = value.trim()
  return (
    <Field {...field}>
      <div class="row colour">
        <input
          type="color"
          class="colour__picker"
          id={pickId}
          aria-label={voice.t('brand.pick', { name: field.label })}
          value={isColour(text) ? text.toLowerCase() : usual}
          onInput={(event) => enter(event.currentTarget.value)}
        />
        <input
          {...fieldInput(field.name, field.error)}
          {...verbatim}
          maxlength={7}
          placeholder="#rrggbb"
          value={value}
          onInput={(event) => enter(event.currentTarget.value)}
        />
      </div>
    </Field>
  )
}

type SegmentsProps<Value extends string> = {
  /** The name of the radio buttons; a suffix with the value makes their ids. */
  name: string
  legend: string
  options: readonly (readonly [value: Value, label: string])[]
  chosen: Value
  choose(value: Value): void
}

/** Radio buttons that look like one segmented control. */
export function Segments<Value extends string>({ name, legend, options, chosen, choose }: SegmentsProps<Value>) {
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
