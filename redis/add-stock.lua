#!lua flags=allow-key-locking
--[[
  add-stock: change how many units a sale has, up or down, once per change.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, stockRevision, change, refused, packedWindow
  ARGV[1] delta               units to add; negative takes away
  ARGV[2] number              of the change; a later change of the sale has a larger one

  Reply {code, total, booked, stockRevision}
    1 changed           total is the new one
    2 repeat            this change or a later one was here already: nothing was done again
    3 below-booked      total and booked as they are: so few units would break promises; refused for good
    4 unlimited         an unlimited stock has no number to change; no counters
   10 unknown-sale      no stock on the shelf, or a frozen one; no counters

  Several may carry out one change at once, and the slowest of them may come when the next change is long done.
  Numbers only rise, so `change`, the number of the last one, tells that it is too late; an id could not. A refusal
  is kept too: the table is told of it, so the change must not succeed for somebody who comes later.

  Only a rise counts as a restock: stockRevision is the revision that tells the gate whether "sold out" still holds.
  The total of a frozen stock is about to be replaced by one that the table knew before, and `change` with it. Whatever
  was said of a change now, also that it is done, would be untrue then: every change waits until the stock is open again.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'stockRevision', 'change', 'refused', 'packedWindow')
local total, booked, stockRevision = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total or string.sub(stored[6], 32, 38) == '!frozen' then return {10} end
if stored[5] == ARGV[2] then return {3, total, booked, stockRevision} end
if tonumber(ARGV[2]) <= tonumber(stored[4] or '0') then return {2, total, booked, stockRevision} end
if total == -1 then return {4} end

local delta = tonumber(ARGV[1])
if delta < 0 and total + delta < booked then
  redis.call('HSET', KEYS[1], 'change', ARGV[2], 'refused', ARGV[2])
  return {3, total, booked, stockRevision}
end
total = total + delta
if delta > 0 then stockRevision = stockRevision + 1 end
redis.call('HSET', KEYS[1], 'total', string.format('%d', total), 'stockRevision', stockRevision, 'change', ARGV[2])
return {1, total, booked, stockRevision}
