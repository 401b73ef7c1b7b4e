#!lua flags=allow-key-locking
--[[
  add-stock: change how many units a sale has, up or down, once per change.

  KEYS[1] stock:{<sale>:0}    hash   total, left, stockRevision, change, refused, packedWindow,
                                     tag; of each variant total/<id>, left/<id>
  ARGV[1] delta               units to add; negative takes away
  ARGV[2] number              of the change; a later change of the sale has a larger one
  ARGV[3] tag                 a new one
  ARGV[4] variants            `<id>*<units>+<id>*<units>`, which are delta together, negative to take
                              away; absent for a sale without variants

  Reply {code, total, left, stockRevision}
    1 changed           total is the new one
    2 repeat            this change or a later one was applied already: nothing changed
    3 below-booked      so few units would not cover the booked ones; refused for good. total and
                        left are those of the variant to take from, where there is one
    4 unlimited         an unlimited stock has no total to change; no counters
   10 unknown-sale      the stock is missing or frozen; no counters

  Callers may apply one change concurrently, and the slowest may arrive after the next change.
  Numbers only rise, so `change`, the last number, shows that a call is too late; an id could not. A
  refusal is recorded too: the table learns of it, so the change must not succeed later.

  Only a rise is a restock: stockRevision then shows the gate that "sold out" is out of date. The
  total and `change` of a frozen stock are about to be replaced from the table, so any answer now
  could become wrong: every change waits until the stock is unfrozen.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'left', 'stockRevision', 'change', 'refused', 'packedWindow')
local total, left, stockRevision = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total or string.sub(stored[6], 32, 38) == '!frozen' then return {10} end
local delta = tonumber(ARGV[1])
local variants, isShort, isRestock, shownTotal, shownLeft = {}, delta < 0 and left + delta < 0, delta > 0, total, left
for id, size in string.gmatch(ARGV[4] or '', '([^*+]+)%*(-?%d+)') do
  local counters = redis.call('HMGET', KEYS[1], 'total/' .. id, 'left/' .. id)
  local units, totalOf, leftOf = tonumber(size), tonumber(counters[1]), tonumber(counters[2])
  if not totalOf then error('the stock has no variant ' .. id) end
  variants[#variants + 1] = {id, totalOf + units, leftOf + units}
  if units > 0 then isRestock = true end
  if units < 0 then shownTotal, shownLeft = totalOf, leftOf end
  if units < 0 and leftOf + units < 0 then isShort = true end
end
if stored[5] == ARGV[2] then return {3, shownTotal, shownLeft, stockRevision} end
if tonumber(ARGV[2]) <= tonumber(stored[4] or '0') then return {2, total, left, stockRevision} end
if total == 1000000000000 then return {4} end

if isShort then
  redis.call('HSET', KEYS[1], 'change', ARGV[2], 'refused', ARGV[2])
  return {3, shownTotal, shownLeft, stockRevision}
end
total, left = total + delta, left + delta
if isRestock then stockRevision = stockRevision + 1 end
redis.call('HSET', KEYS[1], 'total', total, 'left', left, 'stockRevision', stockRevision, 'change', ARGV[2],
  'tag', ARGV[3])
for _, variant in ipairs(variants) do
  redis.call('HSET', KEYS[1], 'total/' .. variant[1], variant[2], 'left/' .. variant[1], variant[3])
end
return {1, total, left, stockRevision}
