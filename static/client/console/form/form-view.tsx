/** Opens the form of a new sale or of an edit. */
import { copyOf, withUnitsLeft } from '../../../../core/sale/copy-sale.ts'
import { definitionOf, type Sale, type SaleDefinition } from '../../../../core/sale/sale.ts'
import { getLive } from '../api.ts'
import { idOfCopy } from '../lib/typed.ts'
import type { ViewContext } from '../view.ts'
import { type FormText, freshText, textOf } from './form-text.ts'
import { SaleForm } from './sale-form.tsx'

/** The sale that is edited, or that a new one begins as a copy of; `again`: with the units that are left of it. */
type From = { edit: string } | { copy: string } | { again: string }

/** Opens the form; of a new sale unless it is to edit one. */
export async function openForm(context: ViewContext, from?: From): Promise<void> {
  const draw = (text: FormText, sale?: Sale) => context.draw(<SaleForm first={text} sale={sale} />)
  if (from === undefined) return draw(freshText(context.voice.locale(), Date.now()))
  const answer = await getLive('edit' in from ? from.edit : 'copy' in from ? from.copy : from.again)
  if (context.isLeft()) return
  if (!answer.ok) return void context.explain(answer.reply)
  const { sale } = answer.value
  if ('edit' in from) draw(textOf(definitionOf(sale)), sale)
  else if ('copy' in from) draw(copiedText(sale))
  else {
    const left = withUnitsLeft(answer.value)
    if (left === undefined) context.go(`#/sale/${sale.saleId}`)
    else draw(copiedText(left))
  }
}

/** Nothing of it is saved yet, and the id of the former sale is taken. */
const copiedText = (sale: Sale | SaleDefinition): FormText => ({
  ...textOf(copyOf(sale, Date.now())),
  saleId: idOfCopy(sale.saleId, new Date()),
})
