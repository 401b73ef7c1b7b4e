/** What a draw costs a stage while nothing is drawn. */
import type { StageSettings } from '../../../infra/settings/stage.ts'

/** Those that its alarms read. */
export const alarmedMetrics = [({ size }: Pick<StageSettings, 'size'>): number => (size === 'full' ? 5 : 4)] as const
