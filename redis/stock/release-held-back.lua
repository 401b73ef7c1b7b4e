#!lua flags=allow-key-locking
--[[
  release-held-back: release units that were held back for reservations that can no longer arrive.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, stockRevision, heldBack, heldSince, quietSince,
                                     heldFinal, variants; total:<id>, booked:<id> and heldBack:<id> of each
                                     variant
  ARGV[1] held since          epoch ms, of the unfreeze that held them back
  ARGV[2] keep                maximum of units that stay held back
  ARGV[3] quiet since         epoch ms since when the queue was empty at every check; empty if it is
                              not
  ARGV[4] heldFinal             1 when the kept units belong to dead letters; empty changes nothing
  ARGV[5] keep of variants    maximum of units that stay held back, by variant, as JSON; empty keeps all

  Reply {code, units, stockRevision}
    1 released        the number of released units, of the sale or of its variants, whichever is more,
                      and the revision of the stock
    2 superseded      the stock was unfrozen again: nothing changed
   10 unknown-sale    the stock is missing

  As in release.lua, units that return to a sold-out stock or variant are a restock.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'stockRevision', 'heldBack', 'heldSince', 'variants')
local total, booked, stockRevision, heldBack = unpack(stored)
if not total then return {10} end
if stored[5] ~= ARGV[1] then return {2} end
local units = math.max(0, heldBack - ARGV[2])
redis.call('HSET', KEYS[1], 'quietSince', ARGV[3])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'heldFinal', ARGV[4]) end
local isRestock, ofVariants = units > 0 and total - booked <= 0, 0
if units > 0 then redis.call('HSET', KEYS[1], 'booked', booked - units, 'heldBack', heldBack - units) end
local keep = ARGV[5] ~= '' and cjson.decode(ARGV[5])
for _, id in ipairs(keep and cjson.decode(stored[6] or '[]') or {}) do
  local counters = redis.call('HMGET', KEYS[1], 'total:' .. id, 'booked:' .. id, 'heldBack:' .. id)
  local leftOf, held = counters[1] - counters[2], tonumber(counters[3] or '0')
  local freed = math.max(0, held - (keep[id] or 0))
  if freed > 0 then
    redis.call('HSET', KEYS[1], 'booked:' .. id, counters[2] - freed, 'heldBack:' .. id, held - freed)
    ofVariants = ofVariants + freed
    if leftOf <= 0 and leftOf + freed > 0 then isRestock = true end
  end
end
if isRestock then
  stockRevision = stockRevision + 1
  redis.call('HSET', KEYS[1], 'stockRevision', stockRevision)
end
return {1, math.max(units, ofVariants), tonumber(stockRevision)}
