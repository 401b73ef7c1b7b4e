/** What a new sale begins with: nothing, a template, or one of the last sales. */
import { type SaleDefinition, textIn } from '../../../../core/sale/sale.ts'
import type { Template } from '../../../../core/sale/template.ts'
import { askFirst } from '../../lib/confirm.ts'
import { byId, make } from '../../lib/dom.ts'
import { labelled } from '../../lib/labelled.ts'
import { deleteTemplate, listSales, listTemplates } from '../api.ts'
import { failureText, saveFailure, type ViewContext } from '../view.ts'

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

/** Gives the focus back to the choice in the form that was chosen there; call it once that is shown. */
export function focusChoice(): void {
  if (chosen === location.hash) byId('field-start-from').focus()
  chosen = undefined
}

/** The choice, each option being the address of its form. */
export function startFrom(context: ViewContext): HTMLElement {
  const { voice } = context
  const present = location.hash
  const select = make('select', {}, make('option', { value: emptyForm }, voice.t('startFrom.empty')))
  const field = labelled('start-from', voice.t('startFrom.label'), voice.t('startFrom.hint'), select)
  const place = make('div', { class: 'start-from' }, field.element)
  const name = templateIn(present)
  if (name !== undefined) place.append(deleteButton(context, name))
  select.addEventListener('change', () => {
    const wanted = select.value
    // What is entered may be kept; then the choice is the one before.
    select.value = present
    begin(context, wanted)
  })
  void load()

  async function load(): Promise<void> {
    const [templates, sales] = await Promise.all([listTemplates(), listSales({})])
    if (!place.isConnected) return
    // The form goes on without them: it keeps its text also when the session has ended.
    if (!templates.ok) return context.announce(saveFailure(voice, templates.reply))
    if (!sales.ok) return context.announce(saveFailure(voice, sales.reply))
    const byName = new Intl.Collator(voice.locale(), { numeric: true })
    const names = templates.value.templates.map((one) => one.name).sort(byName.compare)
    const recent = sales.value.sales.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, fewSales)
    select.append(
      ...group(
        voice.t('startFrom.templates'),
        names.map((one) => [addressOfTemplate(one), one]),
      ),
      ...group(
        voice.t('startFrom.sales'),
        recent.map((sale) => [addressOfCopy(sale.saleId), textIn(sale, voice.language()).title]),
      ),
    )
    select.value = present
    // An address that is not on offer, such as that of an older sale.
    if (select.selectedIndex === -1) select.value = emptyForm
  }

  return place
}

/**
 * The definition in the template of that name. Without one it says why, in the place of the form, and
 * returns undefined.
 */
export async function readTemplate(context: ViewContext, name: string): Promise<SaleDefinition | undefined> {
  const answer = await listTemplates()
  if (!answer.ok) {
    context.explain(answer.reply)
    return undefined
  }
  const found = answer.value.templates.find((one) => one.name === name)
  if (found === undefined || found.definition === null) showProblem(context, name, found)
  return found?.definition ?? undefined
}

function showProblem(context: ViewContext, name: string, found: Template | undefined): void {
  const { voice } = context
  const text = voice.t(found === undefined ? 'startFrom.missing' : 'startFrom.unreadable', { name })
  context.show(
    make('h1', {}, voice.t('form.create')),
    startFrom(context),
    make('p', { class: 'empty', role: 'alert' }, text),
  )
  focusChoice()
}

function deleteButton(context: ViewContext, name: string): HTMLElement {
  const { voice } = context
  async function click(): Promise<void> {
    const remove = { value: 'delete', label: voice.t('startFrom.delete'), kind: 'danger' } as const
    const title = voice.t('startFrom.deleteTitle', { name })
    const choice = await askFirst(
      title,
      [voice.t('startFrom.deleteText')],
      [remove],
      voice.t('startFrom.keep'),
    )
    if (choice === undefined) return
    const answer = await deleteTemplate(name)
    if (answer.ok) begin(context, emptyForm)
    else context.announce(failureText(voice, answer.reply))
  }
  const props = { type: 'button', class: 'button button--plain', id: 'delete-template' } as const
  return make('button', { ...props, click: () => void click() }, voice.t('startFrom.delete'))
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

function group(label: string, options: readonly (readonly [address: string, text: string])[]): HTMLElement[] {
  if (options.length === 0) return []
  return [make('optgroup', { label }, ...options.map(([value, text]) => make('option', { value }, text)))]
}
