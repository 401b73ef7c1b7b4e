/** The sales that were not started although their start is near or has passed, above the list. */
import { type Sale, textIn } from '../../../../core/sale/sale.ts'
import { startAdvice } from '../sale/start-state.ts'
import { useView } from '../view-place.ts'

/** A line stays while the list is drawn again, or screen readers would read it every time. */
export function StartAlarms({ sales }: { sales: readonly Sale[] }) {
  const { voice } = useView()
  const lines = sales.flatMap((sale) => {
    const advice = startAdvice(voice, sale, Date.now())
    return advice?.loud === true ? [{ sale, ...advice }] : []
  })
  return (
    <div class="notices" id="start-alarms" role="alert">
      {lines.map(({ sale, key, args }) => (
        <p key={sale.saleId} class="notice">
          <a href={`#/sale/${sale.saleId}`}>{textIn(sale, voice.language()).title}</a>{' '}
          {voice.t(key === 'start.overdueText' ? 'start.listOverdue' : 'start.listSoon', args)}
        </p>
      ))}
    </div>
  )
}
