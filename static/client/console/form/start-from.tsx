/** What a new sale begins with: nothing, a template, or one of the last sales. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { type Sale, type SaleDefinition, textIn } from '../../../../core/sale/sale.ts'
import type { Template } from '../../../../core/sale/template.ts'
import { askFirst } from '../../lib/confirm.ts'
import { deleteTemplate, listSales, listTemplates } from '../api.ts'
import { Field, fieldInput, focusField } from '../lib/field.tsx'
import { failureText, saveFailure, type ViewContext } from '../view.ts'
import { useView } from '../view-place.ts'

/** Sales on offer. */
const fewSales = 10

const emptyForm = '#/new'
const addressOfTemplate = (name: string) => `${emptyForm}/${encodeURIComponent(name)}`
const addressOfCopy = (saleId: string) => `#/sale/${saleId}/copy`

/** The address that was chosen last, until its form is shown. */
let chosen: string | undefined

function begin(context: ViewContext, address: string): void {
  chosen = address
  context.go(address)
}

type Option = readonly [address: string, text: string]

/** The choice, each option being the address of its form. */
export function StartFrom() {
  const context = useView()
  const { voice, announce, isLeft } = context
  const [templates, setTemplates] = useState<readonly Template[]>([])
  const [sales, setSales] = useState<readonly Sale[]>([])
  const [present] = useState(location.hash)

  async function load(): Promise<void> {
    const [known, listed] = await Promise.all([listTemplates(), listSales({})])
    if (isLeft()) return
    setTemplates(known.ok ? known.value.templates : [])
    setSales(listed.ok ? listed.value.sales : [])
    // The form goes on without them: it keeps its text also when the session has ended.
    if (!known.ok) announce(saveFailure(voice, known.reply))
    else if (!listed.ok) announce(saveFailure(voice, listed.reply))
  }
  // The titles are those of the reader's language, and what keeps them away is said in it.
  useEffect(() => void load(), [voice.language()])
  useLayoutEffect(() => {
    // The choice in the form that was chosen there has the focus again.
    if (chosen === present) focusField('start-from')
    chosen = undefined
  }, [])

  const byName = new Intl.Collator(voice.locale(), { numeric: true })
  const names = templates.map((one) => one.name).sort(byName.compare)
  const recent = sales.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, fewSales)
  const groups: readonly (readonly [label: string, options: readonly Option[]])[] = [
    [voice.t('startFrom.templates'), names.map((one) => [addressOfTemplate(one), one])],
    [
      voice.t('startFrom.sales'),
      recent.map((sale) => [addressOfCopy(sale.saleId), textIn(sale, voice.language()).title]),
    ],
  ]
  const isOffered = groups.some(([, options]) => options.some(([address]) => address === present))
  // An address that is not on offer, such as that of an older sale.
  const shown = isOffered ? present : emptyForm
  const name = templateIn(present)
  return (
    <div class="start-from">
      <Field name="start-from" label={voice.t('startFrom.label')} hint={voice.t('startFrom.hint')}>
        <select
          {...fieldInput('start-from')}
          value={shown}
          onChange={({ currentTarget: select }) => {
            const wanted = select.value
            // What is entered may be kept; then the choice is the one before.
            select.value = shown
            begin(context, wanted)
          }}
        >
          <option value={emptyForm}>{voice.t('startFrom.empty')}</option>
          {groups.map(
            ([label, options]) =>
              options.length > 0 && (
                <optgroup key={label} label={label}>
                  {options.map(([address, text]) => (
                    <option key={address} value={address}>
                      {text}
                    </option>
                  ))}
                </optgroup>
              ),
          )}
        </select>
      </Field>
      {name !== undefined && <DeleteTemplate name={name} />}
    </div>
  )
}

/**
 * The definition in the template of that name. Without one it says why, in the place of the form, and
 * returns undefined.
 */
export async function readTemplate(context: ViewContext, name: string): Promise<SaleDefinition | undefined> {
  const { voice } = context
  const answer = await listTemplates()
  if (!answer.ok) {
    context.explain(answer.reply)
    return undefined
  }
  const found = answer.value.templates.find((one) => one.name === name)
  if (found !== undefined && found.definition !== null) return found.definition
  context.draw(
    <>
      <h1>{voice.t('form.create')}</h1>
      <StartFrom />
      <p class="empty" role="alert">
        {voice.t(found === undefined ? 'startFrom.missing' : 'startFrom.unreadable', { name })}
      </p>
    </>,
  )
  return undefined
}

function DeleteTemplate({ name }: { name: string }) {
  const context = useView()
  const { voice } = context
  async function press(): Promise<void> {
    const remove = { value: 'delete', label: voice.t('startFrom.delete'), kind: 'danger' } as const
    const title = voice.t('startFrom.deleteTitle', { name })
    const text = [voice.t('startFrom.deleteText')]
    if ((await askFirst(title, text, [remove], voice.t('startFrom.keep'))) === undefined) return
    const answer = await deleteTemplate(name)
    if (answer.ok) begin(context, emptyForm)
    else context.announce(failureText(voice, answer.reply))
  }
  return (
    <button type="button" class="button button--plain" id="delete-template" onClick={() => void press()}>
      {voice.t('startFrom.delete')}
    </button>
  )
}

/** The name of the template in an address; undefined for another address. */
function templateIn(hash: string): string | undefined {
  const [, part] = /^#\/new\/([^/?]+)/.exec(hash) ?? []
  try {
    return part === undefined ? undefined : decodeURIComponent(part)
  } catch {
    // Changed by hand, and no text.
    return undefined
  }
}
