/** Checks a stage's settings before synth. */

import { eachOf } from '../../core/lib/fold.ts'
import { parse } from '../../core/lib/parse.ts'
import { secureAddress } from '../../core/lib/secure-address.ts'
import { maxUndoMinutes } from '../../functions/orders/shop-keys.ts'
import { maxPersonalDays } from '../../functions/people/delivery-settings.ts'
import { isWaived, secondFactor as secondFactorSetting } from '../../functions/people/sign-in-settings.ts'
import { functions } from '../../options/registry/functions.ts'
import { consumptions, queueNames } from '../../system/queues.ts'
import { WrongSettings } from './choices.ts'
import { mailProblems, senderProblems } from './mail.ts'
import { functionsOfStage, type OptionSettings, type StageSettings } from './stage.ts'

const ofOptions: readonly ((settings: OptionSettings) => string[])[] = eachOf(functions, 'problems')

/** @throws WrongSettings with every problem at once */
export function refuseBadSettings(settings: StageSettings): void {
  const problems = [
    ...reservationProblems(settings),
    ...poolProblems(settings),
    ...alarmProblems(settings),
    ...signInProblems(settings),
    ...paymentProblems(settings),
    ...mailProblems(settings.mail),
    ...keepProblems(settings),
    ...gateProblems(settings),
    ...redeemProblems(settings),
    ...balanceProblems(settings),
    ...ofOptions.flatMap((problemsOf) => problemsOf(settings)),
  ]
  if (problems.length > 0) throw new WrongSettings(`infra/settings/${settings.name}.ts: ${problems.join('; ')}`)
}

/**
 * Rejects a reservation below the maximum of the event source: it throttles the consumer, and unread messages become dead
 * letters (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html). Each function reads one queue at most.
 */
function reservationProblems({ functions, consumers }: StageSettings): string[] {
  return queueNames.flatMap((queue) => {
    const { consumer } = consumptions[queue]
    const { reserved } = functions[consumer]
    if (reserved === undefined || reserved >= consumers[queue]) return []
    return [`functions.${consumer}.reserved is ${reserved}, but its queues may start ${consumers[queue]}`]
  })
}

/**
 * Requires reservations: the gate uses unreserved concurrency, so a function without a reservation would compete with it. A
 * small stage handles a crowd that leaves both enough; the preflight says how large (`account-concurrency`).
 */
function poolProblems(settings: StageSettings): string[] {
  const { isProduction, size, functions } = settings
  if (!isProduction || size === 'small') return []
  return functionsOfStage(settings)
    .filter((name) => functions[name].reserved === undefined)
    .map((name) => `functions.${name}.reserved is missing: it would share a pool with the gate`)
}

function alarmProblems({ isProduction, alarmEmail }: StageSettings): string[] {
  return isProduction && (alarmEmail ?? '') === '' ? ['alarmEmail is missing: alarms would have no recipient'] : []
}

/** Rejects a value that the function would refuse at its start. */
function keepProblems({ keep: { personalDays } }: StageSettings): string[] {
  const isUsable = Number.isInteger(personalDays) && personalDays >= 1 && personalDays <= maxPersonalDays
  return isUsable ? [] : [`keep.personalDays must be 1 to ${maxPersonalDays} days`]
}

/** Rejects attempts that cannot be part of a name. */
function gateProblems({ gate: { attempt = 1 } = {} }: StageSettings): string[] {
  return Number.isInteger(attempt) && attempt >= 1 ? [] : ['gate.attempt must be a whole number, at least 1']
}

/** Rejects a value that the function would refuse at its start. */
function redeemProblems({ redeem }: StageSettings): string[] {
  const minutes = redeem?.undoMinutes ?? 0
  const isUsable = Number.isInteger(minutes) && minutes >= 0 && minutes <= maxUndoMinutes
  return isUsable ? [] : [`redeem.undoMinutes must be 0 to ${maxUndoMinutes} minutes`]
}

function balanceProblems({ balanceUrl }: StageSettings): string[] {
  const isUsable = balanceUrl === undefined || secureAddress.safeParse(balanceUrl).success
  return isUsable ? [] : ['balanceUrl must be an https address']
}

/** Returns warnings about allowed settings of a production stage that its shop should know. */
export function stageWarnings({ isProduction, signIn: { secondFactor } }: StageSettings): string[] {
  if (!isProduction || !isWaived(secondFactor)) return []
  return [`signIn.secondFactor.notRequired: a password alone opens the console (${secondFactor.notRequired})`]
}

function signInProblems(settings: StageSettings): string[] {
  const { secondFactor } = settings.signIn
  const isUnsaid = secondFactor !== undefined && !parse(secondFactorSetting, secondFactor).ok
  return [
    ...providerProblems(settings),
    ...(isUnsaid ? ['signIn.secondFactor must have a claim and its values, or a reason in notRequired'] : []),
  ]
}

/** Rejects issuers that the function `sign-in` would refuse at its start. */
function providerProblems({ isProduction, signIn }: StageSettings): string[] {
  if (signIn.kind === 'cognito') {
    if (signIn.email !== undefined) return senderProblems('signIn.email', signIn.email)
    return isProduction
      ? ['signIn.email is missing: Cognito itself sends 50 emails a day, and the 51st sign-up gets no code']
      : []
  }
  const isAddress = URL.canParse(signIn.issuer) && new URL(signIn.issuer).protocol === 'https:'
  return isAddress ? [] : ['signIn.issuer is not an https address']
}

/** Rejects simulated payments in production: shoppers could mark their own orders as paid. */
function paymentProblems({ name, isProduction, simulatesPayments }: StageSettings): string[] {
  return simulatesPayments === true && (isProduction || name === 'prod')
    ? ['simulatesPayments is set: orders of a production stage would be paid without money']
    : []
}
