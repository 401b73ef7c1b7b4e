/**
 * How many requests may be admitted to the stock (G4, G5). Admissions are granted to the instances of the gate in
 * leases. `booked` are units, `out` admissions not yet completed, and no grant raises `booked + out` above the cap.
 * Once every unit is booked nothing is granted, though the cap is higher. An order of several units adds them to
 * `booked` and takes one admission from `out`, so it can raise the sum above the cap. Then nothing is granted until the
 * sum is below it: fewer requests are admitted than the cap allows, never more.
 */

/** How long an instance of the gate may use a lease, ms; then the rest of it is void. */
export const leaseLifeMs = 2000

/**
 * An admission this old, ms, was used or is void: the lease's life, the longest run of the function
 * behind the gate (10 s), a second for clocks that differ, and one for counting by whole seconds.
 */
export const admissionExpiryMs = leaseLifeMs + 10_000 + 2000

/** Admissions that a stock of `total` units allows at `ratio` (at most 3 decimals) each; -1 when it is unlimited. */
export function admissionCap(total: number, ratio: number): number {
  return total === -1 ? -1 : Math.ceil((total * thousandthsOf(ratio)) / 1000)
}

/**
 * Admissions that can be granted now, by the rule of admit.lua: `out` are those not yet completed.
 * -1 for an unlimited stock.
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
