import { describe, expect, it } from 'vitest'
import { checkOrigin } from '../../edge/checks/body.ts'
import { checkAdmission } from '../../edge/checks/capacity.ts'
import { checkChallenge, checkFirstUse } from '../../edge/checks/challenge.ts'
import { forward, forwardPurchase } from '../../edge/checks/forward.ts'
import { checkKnownSale } from '../../edge/checks/known-sale.ts'
import { checkPhase } from '../../edge/checks/phase.ts'
import { loadMemory } from '../../edge/checks/request.ts'
import { checkBlockedAddress, readSaleId } from '../../edge/checks/sale.ts'
import { checkIdentity, checkRole, checkTokenShape } from '../../edge/checks/shopper.ts'
import { type Check, Funnel } from '../../edge/typed-funnel.ts'

// `npm run check` compiles this file: an accepted line under @ts-expect-error is an error there.
describe('a funnel in the wrong order', () => {
  it('does not compile (L6)', () => {
    const start = new Funnel().use(loadMemory)
    const known = start.use(readSaleId).use(checkKnownSale)
    const signedIn = start.use(checkTokenShape).use(checkIdentity)
    const wrong = [
      // @ts-expect-error without memory
      new Funnel().use(checkBlockedAddress),
      // @ts-expect-error the path's sale id is not taken
      start.use(checkKnownSale),
      // @ts-expect-error the sale is not known
      start.use(readSaleId).use(checkPhase),
      // @ts-expect-error no token was found
      start.use(checkIdentity),
      // @ts-expect-error the token is not verified
      start.use(checkTokenShape).use(forward),
      // @ts-expect-error the role is checked before the shopper is known
      start.use(checkTokenShape).use(checkRole),
      // @ts-expect-error the origin is checked before a token was found
      start.use(checkOrigin),
      // @ts-expect-error the challenge is checked before the request is parsed
      known.use(checkTokenShape).use(checkIdentity).use(checkChallenge),
      // @ts-expect-error the admission is spent before the shopper is counted
      known.use(checkTokenShape).use(checkIdentity).use(checkAdmission),
      // @ts-expect-error the challenge's first use is written before there is an admission
      known.use(checkFirstUse),
      // @ts-expect-error a purchase is forwarded without an admission
      signedIn.use(forwardPurchase),
    ]
    expect(wrong.map(({ checks }) => checks.length > 0)).not.toContain(false)
  })

  it('does not compile when a check reads or sets a variable that it does not declare', () => {
    const reads: Check<'memory'> = (c, next) => {
      // @ts-expect-error possibly undefined
      void c.get('shopper').level
      return next()
    }
    const sets: Check<'memory'> = (c, next) => {
      // @ts-expect-error `Sets` does not name it
      c.set('saleId', 'phone-42')
      return next()
    }
    expect([reads, sets].map((check) => check.length)).toEqual([2, 2])
  })

  it('compiles in the right order', () => {
    const { checks } = new Funnel().use(loadMemory).use(checkTokenShape).use(checkIdentity).use(forward)
    expect(checks).toEqual([loadMemory, checkTokenShape, checkIdentity, forward])
  })
})
