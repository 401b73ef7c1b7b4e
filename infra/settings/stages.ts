/** The stages that the app deploys and the commands know, by name, with what was chosen for them. */
import { choicesFile, exitOnWrongSettings, readChoices, withChoices } from './choices.ts'
import { dev } from './dev.ts'
import { prod } from './prod.ts'
import { small } from './small.ts'
import type { StageSettings } from './stage.ts'

const chosen = (settings: StageSettings) =>
  withChoices(
    settings,
    exitOnWrongSettings(() => readChoices(choicesFile(settings.name))),
  )

export const stages = { dev: chosen(dev), small: chosen(small), prod: chosen(prod) } as const
