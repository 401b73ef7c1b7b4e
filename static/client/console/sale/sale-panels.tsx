/** The panels of one sale: those that its kind needs, in their order. */
import type { Live } from '../../../../core/api/control-answers.ts'
import { FactsList } from '../lib/facts-list.tsx'
import { FoldedPanel } from '../lib/folded-panel.tsx'
import { RefundPanel } from '../orders/refund-panel.tsx'
import { ReservePanel } from '../orders/reserve-panel.tsx'
import { ShipmentPanel } from '../orders/shipment-panel.tsx'
import { TablesPanel } from '../report/tables-panel.tsx'
import { ShardPanel } from '../stock/shard-panel.tsx'
import type { UnitsChange } from '../stock/stock-keys.ts'
import { StockPanel } from '../stock/stock-panel.tsx'
import { VariantPanel } from '../stock/variant-panel.tsx'
import { useView } from '../view-place.ts'
import { DrawPanel } from './draw-panel.tsx'
import { EmbedPanel } from './embed-panel.tsx'
import { HealthPanel } from './health-panel.tsx'
import { OverviewPanel } from './overview-panel.tsx'
import { settingsOf } from './setting-rows.ts'
import { WindowPanel } from './window-panel.tsx'

type Props = {
  live: Live
  lostSince: number | undefined
  /** Adds units, or removes some. */
  restock(change: UnitsChange): Promise<void>
  /** Something was done that may have changed the numbers. */
  lookAgain(): void
}

export function SalePanels({ live, lostSince, restock, lookAgain }: Props) {
  const { voice, may } = useView()
  const { sale, phase } = live
  const { kind, archivedAt } = sale
  const isOpened = sale.epoch > 0
  const { draw } = sale
  return (
    <>
      <HealthPanel live={live} lostSince={lostSince} lookAgain={lookAgain} />
      <OverviewPanel live={live} />
      <VariantPanel live={live} />
      <ShardPanel live={live} />
      <div class="panels">
        <StockPanel live={live} restock={restock} />
        <TablesPanel live={live} />
        <WindowPanel sale={sale} />
      </div>
      <div class="folded-panels">
        {draw !== undefined && sale.warmed && <DrawPanel sale={sale} draw={draw} />}
        <ReservePanel
          live={live}
          isHidden={phase !== 'open' || kind !== 'goods' || !may('reserveOrder')}
          lookAgain={lookAgain}
        />
        <ShipmentPanel
          saleId={sale.saleId}
          isHidden={!isOpened || kind !== 'goods' || !may('ship')}
          lookAgain={lookAgain}
        />
        {/* What a shopper claimed is theirs: there is no order to give back. */}
        <RefundPanel
          kind={kind}
          isHidden={!isOpened || kind === 'red-packet' || !may('refund')}
          lookAgain={lookAgain}
        />
        {phase !== 'ended' && archivedAt === undefined && <EmbedPanel sale={sale} />}
        <FoldedPanel id="settings" title={voice.t('console.facts')} text={voice.t('rare.settings')}>
          <FactsList rows={settingsOf(voice, sale)} />
        </FoldedPanel>
      </div>
    </>
  )
}
