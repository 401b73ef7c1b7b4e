/** The form for giving one order back, paid or not. */
import { useState } from 'preact/hooks'
import { parseOrderId } from '../../core/ids.ts'
import { plainText } from '../../core/lib/text.ts'
import { parseOrderNumber } from '../../core/orders/order-number.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import { useEntryForm } from '../parts/entry-form.ts'
import { Form, SubmitButton, TextField, verbatim } from '../parts/field.tsx'
import { FoldedPanel } from '../parts/folded-panel.tsx'
import { sayFor } from '../parts/kind-words.ts'
import { refund } from '../sale/repairs.ts'
import { useView } from '../view.ts'

/** `refresh` is called once an order was given back. */
type Props = { kind: SaleKind; isHidden: boolean; refresh(): void }

export function RefundPanel({ kind, isHidden, refresh }: Props) {
  const context = useView()
  const { voice } = context
  const say = sayFor(voice, kind)
  const [texts, setTexts] = useState({ order: '' })
  const { complain, input } = useEntryForm('refund.', () => ({ label: voice.t('refund.order') }), texts, setTexts)

  async function send(): Promise<void> {
    const order = plainText(texts.order)
    const isOrder = [parseOrderId, parseOrderNumber].some((parse) => parse(order) !== undefined)
    if (!isOrder) return complain('order', voice.t('refund.wrong'))
    if (await refund(context, order)) {
      setTexts({ order: '' })
      refresh()
    }
  }
  return (
    <FoldedPanel id="refund-panel" title={say('refund.title')} text={say('rare.refund')} isHidden={isHidden}>
      <Form class="refund" submit={send}>
        <TextField {...input('order')} {...verbatim} />
        <SubmitButton look="plain" id="refund">
          {say('refund.do')}
        </SubmitButton>
      </Form>
    </FoldedPanel>
  )
}
