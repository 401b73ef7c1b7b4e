/**
 * What a card on the index shows. Its pointer was published before the start, and nothing is published at the start itself:
 * the countdown in it distinguishes a scheduled sale from one that was not started.
 */
import type { Phase } from '../../../core/sale/phase.ts'
import type { Pointer } from '../../../core/sale/pointer.ts'
import { phaseSeen } from './phase-seen.ts'

/** The phase at `now` (epoch ms, the shop's clock). */
export const cardPhase = (pointer: Pointer, now: number): Phase => phaseSeen(pointer, now, pointer.remaining)
