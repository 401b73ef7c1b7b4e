#!lua flags=allow-key-locking
--[[
  shard-demand: record that a shopper requested more units than a shard of a split stock has left.

  KEYS[1] stock:{<sale>:0}    hash   demand, demands, shortage
  ARGV[1] quantity            requested units
  ARGV[2] since               epoch ms; an older shortage is stale
  ARGV[3] variant             of the units; empty in a sale without variants

  Reply {code, left}
    1 noted     units may come from other shards; no left
    2 shortage  all shards together had only `left` units, fewer than requested, then their units of the
                variant if those were too few: nothing recorded

  `demand` is {"units", "count", "variant"} until the balancer has met it. Only the last demand is stored, because
  shoppers who still want units retry; `demands` counts them. `shortage` is {"left", "at", "variants"}, written by
  the balancer after it has read all shards (shard-demand.ts): `variants` has the units of variants of which too few
  are left.
]]
local quantity, variant = tonumber(ARGV[1]), ARGV[3]
local shortage = cjson.decode(redis.call('HGET', KEYS[1], 'shortage') or '{"at":0}')
if shortage.at >= tonumber(ARGV[2]) then
  local leftOf = shortage.variants and shortage.variants[variant]
  if leftOf and leftOf < quantity then return {2, shortage.left, leftOf} end
  if variant == '' and shortage.left < quantity then return {2, shortage.left} end
end
local count = redis.call('HINCRBY', KEYS[1], 'demands', 1)
redis.call('HSET', KEYS[1], 'demand', cjson.encode({units = quantity, count = count, variant = variant ~= '' and variant or nil}))
return {1}
