/** The stages that the app deploys and the commands know, by name. */
import { dev } from './dev.ts'
import { prod } from './prod.ts'
import { small } from './small.ts'
import type { StageSettings } from './stage.ts'

export const stages = { dev, small, prod } as const satisfies Readonly<Record<string, StageSettings>>
