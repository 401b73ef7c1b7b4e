#!lua flags=allow-key-locking
--[[
  shard-demand: note that a shopper wants more units than a shard of a split stock has left.

  KEYS[1] stock:{<sale>:0}    hash   demand, demands, shortage
  ARGV[1] quantity            units that are wanted
  ARGV[2] since               epoch ms; what was found before then is out of date
  ARGV[3] variant             that they are of; empty in a sale without variants

  Reply {code, left}
    1 noted     units may come from other shards; no left
    2 shortage  all shards together had only `left` units, less than are wanted; in a sale with variants
                then what they had of the variant, if that was too little: nothing noted

  `demand` is {"units", "count", "variant"} until the balancer has met it. The last demand is enough, because
  shoppers who still want units ask again; `demands` counts them. `shortage` is {"left", "at", "variants"},
  written by the balancer when it has looked at all shards (shard-demand.ts): `variants` are the units of those
  of which no shard has enough.
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
