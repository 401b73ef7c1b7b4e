/** Authorised money at a provider that captures or releases it, each once. */
import type { AuthorisationEnd, PaymentProvider } from '../../../functions/payments/payment-provider.ts'

/** `settled` has how each authorisation ended; `pass` throws while the provider is unavailable. */
export function settledMoney(pass: () => void) {
  const settled = new Map<string, AuthorisationEnd>()
  const end = async (paymentId: string, wanted: AuthorisationEnd): Promise<AuthorisationEnd> => {
    pass()
    const end = settled.get(paymentId) ?? wanted
    settled.set(paymentId, end)
    return end
  }
  const calls: Pick<PaymentProvider, 'capture' | 'release'> = {
    capture: ({ paymentId }) => end(paymentId, 'captured'),
    release: ({ paymentId }) => end(paymentId, 'released'),
  }
  return { settled, calls }
}
