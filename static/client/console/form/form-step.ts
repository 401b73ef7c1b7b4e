/** The steps of a new sale, and which of them asks for what. */
import { type settingGroups, settingOf } from '../../../../core/sale/settings.ts'
import type { FormErrors } from './field-errors.ts'
import { fieldNames, settingAt } from './form-text.ts'

/** In their order; the last one asks for nothing. */
export const stepNames = ['what', 'when', 'check'] as const

export type StepName = (typeof stepNames)[number]

const groupsOfWhat: readonly (typeof settingGroups)[number][] = ['what', 'languages', 'howMuch']

/** The step that has the input, or the list, of that place of an error. */
export function stepOf(place: string): StepName {
  const field = fieldNames.find((name) => name === place)
  if (field === undefined) return place.startsWith('windows') ? 'when' : 'what'
  return groupsOfWhat.includes(settingOf(settingAt(field)).group) ? 'what' : 'when'
}

/** From 0. */
export const numberOf = (step: StepName): number => stepNames.indexOf(step)

/** The step `by` places further, or the same at either end. */
export function stepBeside(step: StepName, by: 1 | -1): StepName {
  return stepNames[numberOf(step) + by] ?? step
}

export function errorsBefore(step: StepName, errors: FormErrors): FormErrors {
  return Object.fromEntries(Object.entries(errors).filter(([place]) => numberOf(stepOf(place)) < numberOf(step)))
}

/** The first step with an error; undefined without any. */
export function firstWrong(errors: FormErrors): StepName | undefined {
  return stepNames.find((step) => Object.keys(errors).some((place) => stepOf(place) === step))
}
