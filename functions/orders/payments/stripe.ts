/** Everything that a function loads for Stripe, in a separate file (`build.ts`), because its client loads slowly. */
export { stripePayments } from './payment-provider.stripe.ts'
export { isStripeSecretList, stripeWebhooks } from './payment-webhooks.stripe.ts'
