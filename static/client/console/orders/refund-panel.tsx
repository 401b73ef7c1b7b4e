/** The form for giving one order back, paid or not. */
import { useRef, useState } from 'preact/hooks'
import { parseOrderId } from '../../../../core/ids.ts'
import { parseOrderNumber } from '../../../../core/orders/order-number.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { Form, TextField, useComplaint, verbatim } from '../lib/field.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { sayFor } from '../lib/kind-words.ts'
import { useOneAtATime } from '../lib/work-button.tsx'
import { refund } from '../sale/repairs.ts'
import { useView } from '../view-place.ts'

/** `lookAgain` is called once an order was given back. */
type Props = { kind: SaleKind; isHidden: boolean; lookAgain(): void }

export function RefundPanel({ kind, isHidden, lookAgain }: Props) {
  const context = useView()
  const { voice } = context
  const say = sayFor(voice, kind)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const isOrder = [parseOrderId, parseOrderNumber].some((parse) => parse(text.trim()) !== undefined)
  const [isWrong, complain] = useComplaint(isOrder)

  const [send] = useOneAtATime(async () => {
    if (!isOrder) {
      complain()
      input.current?.focus()
    } else if (await refund(context, text.trim())) {
      setText('')
      lookAgain()
    }
  })
  return (
    <FoldedPanel id="refund-panel" title={say('refund.title')} text={say('rare.refund')} isHidden={isHidden}>
      <Form class="refund" submit={send}>
        <TextField
          field={{
            name: 'refund.order',
            label: voice.t('refund.order'),
            error: isWrong ? voice.t('refund.wrong') : '',
          }}
          {...{ ...verbatim, input, value: text, enter: setText }}
        />
        <button type="submit" class="button button--plain" id="refund">
          {say('refund.do')}
        </button>
      </Form>
    </FoldedPanel>
  )
}
