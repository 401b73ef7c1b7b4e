#!lua flags=allow-key-locking
--[[
  add-stock: change the units of a sale, up or down, once per change.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, stockRevision, change, refused, frozen; of each variant
                                     total:<id>, booked:<id>
  ARGV[1] delta               units to add; negative removes units
  ARGV[2] number              of the change; a later change of the sale has a larger one
  ARGV[3] variants            units by variant as JSON, which add up to delta; {} for a sale without
                              variants

  Reply {code, total, booked, stockRevision}
    1 changed           total is the new total
    2 repeat            this change or a later one was applied already: nothing changed
    3 below-booked      fewer units would be left than are booked; refused permanently. total and
                        booked are those of the variant to remove from, if there is one
    4 unlimited         an unlimited stock has no total to change; no counters
   10 unknown-sale      the stock is missing or frozen; no counters

  Callers may apply one change concurrently, and the slowest may arrive after the next change. Numbers only
  increase, so `change`, the last number, shows that a call is late. A refusal is recorded too, because the
  table stores it, so the change must not succeed later.

  Only an increase is a restock: its new stockRevision tells the gate that "sold out" is stale. The total and
  `change` of a frozen stock will be replaced from the table, so any answer now could become wrong. Every change
  waits until the stock is unfrozen.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'stockRevision', 'change', 'refused', 'frozen')
local total, booked, stockRevision = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total or stored[6] then return {10} end
local delta = tonumber(ARGV[1])
local fields, isShort, isRestock = {}, delta < 0 and total + delta < booked, delta > 0
local shownTotal, shownBooked = total, booked
for id, units in pairs(cjson.decode(ARGV[3])) do
  local counters = redis.call('HMGET', KEYS[1], 'total:' .. id, 'booked:' .. id)
  local totalOf, bookedOf = tonumber(counters[1]), tonumber(counters[2])
  if not totalOf then error('the stock has no variant ' .. id) end
  fields[#fields + 1] = 'total:' .. id
  fields[#fields + 1] = totalOf + units
  if units > 0 then isRestock = true end
  if units < 0 then shownTotal, shownBooked = totalOf, bookedOf end
  if units < 0 and totalOf + units < bookedOf then isShort = true end
end
if stored[5] == ARGV[2] then return {3, shownTotal, shownBooked, stockRevision} end
if tonumber(ARGV[2]) <= tonumber(stored[4] or '0') then return {2, total, booked, stockRevision} end
if total == 1000000000000 then return {4} end

if isShort then
  redis.call('HSET', KEYS[1], 'change', ARGV[2], 'refused', ARGV[2])
  return {3, shownTotal, shownBooked, stockRevision}
end
total = total + delta
if isRestock then stockRevision = stockRevision + 1 end
redis.call('HSET', KEYS[1], 'total', total, 'stockRevision', stockRevision, 'change', ARGV[2], unpack(fields))
return {1, total, booked, stockRevision}
