/** Authorised money at a provider that captures or releases it, each once. */
import type { AuthorisationEnd, PaymentProvider, PaymentRequest } from '../../functions/lib/shop/payment-provider.ts'

/** `settled` has how each authorisation ended, `withdrawn` the payments whose page was closed; `pass` throws while the provider is unavailable. */
export function settledMoney(pass: () => void) {
  const withdrawn: PaymentRequest[] = []
  const settled = new Map<string, AuthorisationEnd>()
  const end = async (paymentId: string, wanted: AuthorisationEnd): Promise<AuthorisationEnd> => {
    pass()
    const end = settled.get(paymentId) ?? wanted
    settled.set(paymentId, end)
    return end
  }
  const calls: Pick<PaymentProvider, 'capture' | 'release' | 'withdraw'> = {
    capture: ({ paymentId }) => end(paymentId, 'captured'),
    release: ({ paymentId }) => end(paymentId, 'released'),
    async withdraw(request) {
      pass()
      withdrawn.push(request)
    },
  }
  return { settled, withdrawn, calls }
}
