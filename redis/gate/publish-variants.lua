#!lua flags=allow-key-locking
--[[
  publish-variants: record for the gate which variants of a sale are sold out.

  KEYS[1] gate:{<sale>}     hash   soldOutVariants
  ARGV[1] revision          stockRevision of the stock
  ARGV[2] variants          their ids, a JSON list, not empty

  Reply {code}
    1 published
    2 unchanged     they are stored already, or a later revision is

  `soldOutVariants` is JSON, {"revision": 7, "ids": ["s", "m"]}. Units that return to an empty variant make a
  new revision of the stock, so a variant that is sold out stays so within a revision, and the ids of several
  calls are merged. The gate ignores a list from before the last restock that it knows.
]]
local stored = redis.call('HGET', KEYS[1], 'soldOutVariants')
local known = stored and cjson.decode(stored) or {revision = -1, ids = {}}
local revision = tonumber(ARGV[1])
if known.revision > revision then return {2} end
local isNew, ids, listed = known.revision < revision, {}, {}
local function add(id)
  if listed[id] then return end
  ids[#ids + 1], listed[id] = id, true
end
if not isNew then for _, id in ipairs(known.ids) do add(id) end end
local before = #ids
for _, id in ipairs(cjson.decode(ARGV[2])) do add(id) end
if not isNew and #ids == before then return {2} end
redis.call('HSET', KEYS[1], 'soldOutVariants', cjson.encode({revision = revision, ids = ids}))
return {1}
