/** The permissions of each function, each with the variable that names its resource. */

import { Stack } from 'aws-cdk-lib'
import type { ProviderName } from '../functions/orders/payments/choose.ts'
import type { MailSettings } from '../functions/people/mailer.ts'
import type { EngineFunction } from '../system/functions.ts'
import type { Grantee, SaleFunction } from './constructs/sale-function.ts'
import { grantSecrets, grantStock } from './constructs/secrets.ts'
import { addressIn, mailSettingsOf } from './settings/mail.ts'
import type { StageSettings } from './settings/stage.ts'
import type { DataStack } from './stacks/data.ts'

/** Returns what grants each function its permissions. Options grant their own functions' permissions (seams.ts). */
export function rightsOf(
  settings: StageSettings,
  data: DataStack,
): Record<EngineFunction | 'mail', (fn: SaleFunction) => void> {
  const { name: stage, functions, mail, redeem, checkout, quotas } = settings
  const { table, site } = data
  const { orders, deadlines } = data.queues
  const { bothStores, publishesCounts, keepsPersonal, readsWallet, changesOrders, managesSales } = sharedRights(
    settings,
    data,
  )
  return {
    reserve(fn) {
      bothStores(fn)
      orders.grantSend(fn)
    },
    'write-orders'(fn) {
      bothStores(fn)
      table.grantWrite(fn)
      table.grantBatchRead(fn)
      orders.grantReject(fn)
      orders.grantShowAgain(fn)
      deadlines.grantSend(fn)
      publishesCounts(fn)
    },
    orders(fn) {
      grantStock(stage, fn)
      table.grantRead(fn)
    },
    'order-changes'(fn) {
      changesOrders(fn)
      // A payment starts only while the address is stored.
      table.grantCheck(fn)
      fn.setVariable('PAYMENT_PAGES_PER_SECOND', String(quotas.paymentPagesPerSecond))
      if (redeem !== undefined) {
        grantSecrets(stage, fn, 'shopKeys')
        fn.setVariable('UNDO_MINUTES', String(redeem.undoMinutes ?? 15))
      }
      if (checkout) {
        grantSecrets(stage, fn, 'checkoutKeys')
        site.grantReservationKeys(fn)
      }
    },
    /** The only function with a URL that can read personal data. */
    delivery(fn) {
      table.grantPersonal(fn)
      keepsPersonal(fn)
      if (mail !== undefined) fn.setVariable('SENDS_MAILS', 'yes')
    },
    wallet: readsWallet,
    'held-reads'(fn) {
      grantStock(stage, fn)
      table.grantItems(fn)
      readsWallet(fn)
      // Without a reservation a hold would take the environment of another function.
      fn.setVariable('HOLDS', functions['held-reads'].reserved === undefined ? 'off' : 'on')
    },
    payments(fn) {
      changesOrders(fn)
      grantSecrets(stage, fn, 'webhook')
      if (checkout) {
        grantSecrets(stage, fn, 'shopKeys')
        // A confirmation that comes too late reserves the units again.
        orders.grantSend(fn)
      }
    },
    'cancel-unpaid'(fn) {
      changesOrders(fn)
      deadlines.grantSend(fn)
      deadlines.grantReject(fn)
      deadlines.grantShowAgain(fn)
    },
    /** It calls public addresses, and writes a heartbeat. */
    canary(fn) {
      table.grantHeartbeat(fn)
    },
    reconcile(fn) {
      managesSales(fn)
      site.grantKeepPages(fn)
    },
    /** It calls the identity provider, and can add contacts but not read them. */
    'sign-in'(fn) {
      fn.setVariable('SIGN_IN', JSON.stringify(data.signIn))
      grantSecrets(stage, fn, 'signIn')
      table.grantPutContact(fn)
      keepsPersonal(fn)
    },
    mail(fn) {
      table.grantMail(fn)
      table.grantHeartbeat(fn)
      grantSecrets(stage, fn, 'personalKeys')
      fn.setShopAddress('SHOP_URL')
      if (mail !== undefined) grantSendMail(fn, mailSettingsOf(mail))
    },
    /** It reads files of strangers, so it knows neither the table nor Redis nor any secret. */
    pictures(fn) {
      data.uploads.grantUploads(fn)
      site.grantPictures(fn)
    },
    control(fn) {
      managesSales(fn)
      table.grantOrderNumbers(fn)
      table.grantControl(fn)
      site.grantPublish(fn)
      data.wakeQueue.grantSend(fn)
      if (checkout) fn.setVariable('CHECKOUT', 'on')
    },
  }
}

function sharedRights(
  { name: stage, mail, balanceUrl, keep, simulatesPayments }: StageSettings,
  { table, site, queues, wakeQueue, edgeStore }: DataStack,
) {
  const bothStores = (fn: SaleFunction) => {
    grantStock(stage, fn)
    grantSecrets(stage, fn, 'gate')
  }
  /** Publishes the units left on the page of a sale, and wakes `reconcile` for the CloudFront Functions. */
  const publishesCounts = (fn: SaleFunction) => {
    site.grantPublishCounts(fn)
    wakeQueue.grantSend(fn)
  }
  /** Allows calls to the payment provider's API. */
  const callsProvider = (fn: SaleFunction) => {
    fn.setVariable('PAYMENT_PROVIDER', (simulatesPayments ? 'simulated' : 'stripe') satisfies ProviderName)
    if (simulatesPayments) fn.setShopAddress('PAYMENT_URL', '/pay/api')
    else fn.setVariable('PAYMENT_URL', 'https://api.stripe.com')
    fn.setShopAddress('SHOP_URL')
    grantSecrets(stage, fn, 'apiKey')
  }
  return {
    bothStores,
    publishesCounts,
    /** The keys of personal data, and for how many days it is kept. */
    keepsPersonal(fn: SaleFunction) {
      grantSecrets(stage, fn, 'personalKeys')
      fn.setVariable('PERSONAL_DAYS', String(keep.personalDays))
    },
    readsWallet(fn: SaleFunction) {
      table.grantWallets(fn)
      if (balanceUrl !== undefined) fn.setVariable('BALANCE_URL', balanceUrl)
    },
    changesOrders(fn: SaleFunction) {
      bothStores(fn)
      table.grantChange(fn)
      table.grantBatchRead(fn)
      callsProvider(fn)
      publishesCounts(fn)
    },
    managesSales(fn: SaleFunction) {
      bothStores(fn)
      table.grantManage(fn)
      // The time of the last reservation of a sale that sold out.
      table.grantOrdersByTime(fn)
      queues.orders.grantRedrive(fn)
      queues.orders.grantDepth(fn)
      queues.deadlines.grantRedrive(fn)
      callsProvider(fn)
      const publishing = ['DescribeKeyValueStore', 'GetKey', 'UpdateKeys']
      fn.allow(
        publishing.map((action) => `cloudfront-keyvaluestore:${action}`),
        [edgeStore.keyValueStoreArn],
      )
      fn.setVariable('EDGE_STORE_ARN', edgeStore.keyValueStoreArn)
      if (mail !== undefined) fn.setVariable('SENDS_MAILS', 'yes')
    },
  }
}

/** Allows sending emails. The identity in SES is the domain of the address (docs/how-to/mail.md). */
function grantSendMail(fn: Grantee, mail: MailSettings): void {
  const arnOf = (resource: string, resourceName: string) =>
    Stack.of(fn).formatArn({ service: 'ses', resource, resourceName })
  const [, domain = ''] = addressIn(mail.from)?.split('@') ?? []
  const set = mail.configurationSet
  fn.allow(
    ['ses:SendEmail'],
    [arnOf('identity', domain), ...(set === undefined ? [] : [arnOf('configuration-set', set)])],
  )
  fn.setVariable('MAIL', JSON.stringify(mail))
}
