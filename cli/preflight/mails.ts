/** The e-mails of a planned sale, in a stage that sends them. */
import type { Prices } from '../../infra/prices.ts'
import { runSeconds } from '../../infra/settings/arithmetic.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { mailConsumption } from '../../system/mail.ts'
import type { Plan } from './plan.ts'
import { type CostLine, counted } from './sale-cost.ts'

/** Goods: to be paid, confirmed, shipped. Others are complete at once. */
const mailsPerUnit = { goods: 3, coupon: 1, 'red-packet': 1 } as const

/** The lease of an e-mail, and the mark that it was sent. */
const tableWritesPerMail = 2

/** 0 in a stage that sends none. */
export function mailsOf({ kind, stock }: Pick<Plan, 'kind' | 'stock'>, { mail }: StageSettings): number {
  return mail === undefined ? 0 : stock * mailsPerUnit[kind]
}

/** The message, the record of it, and the function, which handles some of them in one run. */
export function mailCost(
  plan: Pick<Plan, 'kind' | 'stock'>,
  settings: StageSettings,
  { functions, mail, table }: Prices,
): CostLine[] {
  const mails = mailsOf(plan, settings)
  if (mails === 0) return []
  const gbSeconds = mails * runSeconds.read * (settings.functions.mail.memoryMb / 1024)
  const runs = mails / mailConsumption.batchSize
  return [
    {
      item: 'E-mails',
      quantity: counted(mails),
      dollars:
        mails * (mail.message + tableWritesPerMail * table.write) +
        runs * functions.run +
        gbSeconds * functions.gbSecond,
    },
  ]
}

/** What SES sends in a day until AWS has moved the account out of its sandbox. */
const sandboxMails = 200

/** What to check before the sale; undefined for no e-mails. */
export function mailAdvice(plan: Pick<Plan, 'kind' | 'stock'>, settings: StageSettings): string | undefined {
  const mails = mailsOf(plan, settings)
  if (mails === 0) return undefined
  return `This sale sends about ${counted(mails)} e-mails. An account in the sandbox of SES sends ${sandboxMails} a day, and to verified addresses only: leave it before the sale (docs/how-to/mail.md).`
}
