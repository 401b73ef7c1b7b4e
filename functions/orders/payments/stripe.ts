/** All that a function loads for Stripe, in a file of its own (`build.ts`): its client takes long to load. */
export { stripePayments } from './payment-provider.stripe.ts'
export { isStripeSecretList, stripeWebhooks } from './payment-webhooks.stripe.ts'
