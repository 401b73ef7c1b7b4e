/** How many shoppers asked for reminders, in the overview of a sale. */
import type { Sale } from '../../../../core/sale/sale.ts'
import { control } from '../../../../static/client/console/api.ts'
import { useRepeatedRead } from '../../../../static/client/console/lib/repeated-read.ts'
import { useView } from '../../../../static/client/console/view.ts'

/** Counting reads a key of each reminder. */
const everyMs = 30_000

function Overview({ sale: { saleId } }: { sale: Sale }) {
  const { voice } = useView()
  const reach = useRepeatedRead(everyMs, () => control.getReach({ saleId }), { about: saleId })
  if (reach === undefined) return null
  const { start, return: back } = reach
  return (
    <>
      {start.asked > 0 && (
        <p class="tiles__hint" id="live-reminders">
          {voice.t(start.sent === 0 ? 'reach.remindersAsked' : 'reach.remindersSent', start)}
        </p>
      )}
      {back.asked > 0 && (
        <p class="tiles__hint" id="live-returns">
          {voice.t('reach.returns', back)}
        </p>
      )}
    </>
  )
}

export const saleParts = [{ Overview }] as const
