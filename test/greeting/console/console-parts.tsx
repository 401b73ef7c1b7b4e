/** The greeting among the panels of a sale. */

import { FoldedPanel } from '../../../console/parts/folded-panel.tsx'
import type { ConsolePartsSeam } from '../../../console/seams.ts'
import { useView } from '../../../console/view.ts'
import type { Sale } from '../../../core/sale/sale.ts'

function Panel({ sale: { greeting } }: { sale: Sale }) {
  const { voice } = useView()
  if (greeting === undefined) return null
  return (
    <FoldedPanel id="greeting" title={voice.t('greeting')} text={voice.t('greeting.lead')} toggle={() => undefined}>
      <p>{greeting}</p>
    </FoldedPanel>
  )
}

export const consoleParts = { Panel } satisfies ConsolePartsSeam
