/**
 * All that a function loads for Stripe, in one file of its own when it is deployed (`build.ts`):
 * Stripe's client takes longer to load than most functions.
 */
export { stripePayments } from './payment-provider.stripe.ts'
export { isStripeSecretList, stripeWebhooks } from './payment-webhooks.stripe.ts'
