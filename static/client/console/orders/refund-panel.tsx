/** The form for giving one order back, paid or not. */
import { useRef, useState } from 'preact/hooks'
import { parseOrderId } from '../../../../core/ids.ts'
import { parseOrderNumber } from '../../../../core/orders/order-number.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { Form, useComplaint, verbatim } from '../lib/field.tsx'
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
        <div class="field">
          <label for="refund-order">{voice.t('refund.order')}</label>
          <input
            id="refund-order"
            {...verbatim}
            aria-describedby="refund-error"
            aria-invalid={isWrong}
            ref={input}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <p class="field__error" id="refund-error">
            {isWrong && voice.t('refund.wrong')}
          </p>
        </div>
        <button type="submit" class="button button--plain" id="refund">
          {say('refund.do')}
        </button>
      </Form>
    </FoldedPanel>
  )
}
