/** Shows in the overview of a sale how many shoppers asked for reminders. */
import { control } from '../../../console/api.ts'
import { useRepeatedRead } from '../../../console/parts/repeated-read.ts'
import type { ConsolePartsSeam } from '../../../console/seams.ts'
import { useView } from '../../../console/view.ts'
import type { Sale } from '../../../core/sale/sale.ts'

/** Not more frequent, because counting reads a key of each reminder. */
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

export const consoleParts = { Overview } satisfies ConsolePartsSeam
