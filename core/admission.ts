/**
 * How many clicks may be let through to the stock (G4, G5). Admissions are handed to the instances of the gate in leases;
 * whatever an instance spends or loses, `booked + out ≤ cap` holds: units that are booked, and admissions of which nobody
 * knows yet whether they will become units. Once every unit is booked nothing is handed out, though the cap is higher. An
 * admission counts a click and booked counts units, so an order of several units takes more of the cap once it is booked than
 * its admission did: the sum may then pass the cap for as long as the other admissions are out, during which nothing is handed
 * out, and in the end fewer clicks are let through than the cap allows, never more.
 */

/** How long an instance of the gate may spend a lease, ms; what is left of it afterwards is void. */
export const leaseLifeMs = 2000

/**
 * An admission this old, ms, has become units or never will: the lease's life, the longest run of the function behind the
 * gate (10 s), a second for clocks that differ, and one for counting by whole seconds.
 */
export const settledAfterMs = leaseLifeMs + 10_000 + 2000

/** Admissions that a stock of `total` units allows at `ratio` (at most 3 decimals) each; -1 when it is unlimited. */
export function admissionCap(total: number, ratio: number): number {
  return total === -1 ? -1 : Math.ceil((total * thousandthsOf(ratio)) / 1000)
}

/**
 * Admissions that can be handed out now, by the rule of admit.lua: `out` are those of which nobody knows yet what became of
 * them. -1 for an unlimited stock.
 */
export function admissionsLeft(
  { total, booked, out }: { total: number; booked: number; out: number },
  ratio: number,
): number {
  if (total === -1) return -1
  return booked >= total ? 0 : Math.max(0, admissionCap(total, ratio) - booked - out)
}

/** `ratio` in whole thousandths, in which scripts count too. */
export function thousandthsOf(ratio: number): number {
  return Math.round(ratio * 1000)
}
