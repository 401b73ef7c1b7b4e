#!lua flags=allow-key-locking
--[[
  release-held-back: sell units that were held back for reservations which can no longer arrive.

  KEYS[1] stock:{<sale>:0}    hash   left, stockRevision, tag, heldBack, heldSince, quietSince,
                                     settled, variants; left/<id> and heldBack/<id> of each variant
  ARGV[1] held since          epoch ms, 15 digits wide, of the unfreeze that held them back
  ARGV[2] keep                units that stay held back at most
  ARGV[3] quiet since         epoch ms since when the queue has been empty each time it was looked
                              at; empty when it is not
  ARGV[4] tag                 a new one
  ARGV[5] settled             1 when what stays is of dead letters, empty leaves it as it is
  ARGV[6] keep of variants    units that stay held back at most, `<id>*<units>+<id>*<units>`; absent
                              keeps all that variants hold back

  Reply {code, units, stockRevision}
    1 released        how many units are for sale from now on, or are of variants that are, and the
                      revision of the stock
    2 superseded      the stock was unfrozen again since: nothing changed
   10 unknown-sale    the stock is missing

  As in release.lua, units that return to a sold-out stock or variant are a restock.
]]
local stored = redis.call('HMGET', KEYS[1], 'left', 'stockRevision', 'heldBack', 'heldSince')
local left, stockRevision, heldBack = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not left then return {10} end
if stored[4] ~= ARGV[1] then return {2} end
local units = math.max(0, heldBack - tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'quietSince', ARGV[3])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'settled', ARGV[5]) end
local isRestock, ofVariants, keep = units > 0 and left <= 0, 0, {}
if units > 0 then redis.call('HSET', KEYS[1], 'left', left + units, 'heldBack', heldBack - units) end
for id, size in string.gmatch(ARGV[6] or '', '([^*+]+)%*(%d+)') do keep[id] = tonumber(size) end
for id in string.gmatch(ARGV[6] and redis.call('HGET', KEYS[1], 'variants') or '', '%S+') do
  local counters = redis.call('HMGET', KEYS[1], 'left/' .. id, 'heldBack/' .. id)
  local leftOf, held = tonumber(counters[1]), tonumber(counters[2])
  local freed = math.max(0, held - (keep[id] or 0))
  if freed > 0 then
    redis.call('HSET', KEYS[1], 'left/' .. id, leftOf + freed, 'heldBack/' .. id, held - freed)
    ofVariants = ofVariants + freed
    if leftOf <= 0 and leftOf + freed > 0 then isRestock = true end
  end
end
if isRestock then
  stockRevision = stockRevision + 1
  redis.call('HSET', KEYS[1], 'stockRevision', stockRevision, 'tag', ARGV[4])
end
return {1, math.max(units, ofVariants), stockRevision}
