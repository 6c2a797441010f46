"""Generated from schemas/ltm-stats.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['total_tokens', 'agent_costs_usd', 'managing_costs_usd', 'duration']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'total_tokens' in data_keys:
            data_keys.remove('total_tokens')
            data__totaltokens = data['total_tokens']
            if not isinstance(data__totaltokens, int) and (not (isinstance(data__totaltokens, float) and data__totaltokens.is_integer())) or isinstance(data__totaltokens, bool):
                raise Invalid
            if isinstance(data__totaltokens, (int, float)) and (not isinstance(data__totaltokens, bool)):
                if data__totaltokens < 0:
                    raise Invalid
        if 'agent_tokens' in data_keys:
            data_keys.remove('agent_tokens')
            data__agenttokens = data['agent_tokens']
            if not isinstance(data__agenttokens, int) and (not (isinstance(data__agenttokens, float) and data__agenttokens.is_integer())) or isinstance(data__agenttokens, bool):
                raise Invalid
            if isinstance(data__agenttokens, (int, float)) and (not isinstance(data__agenttokens, bool)):
                if data__agenttokens < 0:
                    raise Invalid
        if 'agent_costs_usd' in data_keys:
            data_keys.remove('agent_costs_usd')
            data__agentcostsusd = data['agent_costs_usd']
            if not isinstance(data__agentcostsusd, (int, float)) or isinstance(data__agentcostsusd, bool):
                raise Invalid
            if isinstance(data__agentcostsusd, (int, float)) and (not isinstance(data__agentcostsusd, bool)):
                if data__agentcostsusd < 0:
                    raise Invalid
        if 'managing_costs_usd' in data_keys:
            data_keys.remove('managing_costs_usd')
            data__managingcostsusd = data['managing_costs_usd']
            if not isinstance(data__managingcostsusd, (int, float)) or isinstance(data__managingcostsusd, bool):
                raise Invalid
            if isinstance(data__managingcostsusd, (int, float)) and (not isinstance(data__managingcostsusd, bool)):
                if data__managingcostsusd < 0:
                    raise Invalid
        if 'duration' in data_keys:
            data_keys.remove('duration')
            data__duration = data['duration']
            if not isinstance(data__duration, (int, float)) or isinstance(data__duration, bool):
                raise Invalid
            if isinstance(data__duration, (int, float)) and (not isinstance(data__duration, bool)):
                if data__duration < 0:
                    raise Invalid
        if 'tokens_per_second' in data_keys:
            data_keys.remove('tokens_per_second')
            data__tokenspersecond = data['tokens_per_second']
            if not isinstance(data__tokenspersecond, (int, float)) or isinstance(data__tokenspersecond, bool):
                raise Invalid
            if isinstance(data__tokenspersecond, (int, float)) and (not isinstance(data__tokenspersecond, bool)):
                if data__tokenspersecond < 0:
                    raise Invalid
        if 'tokens_per_group' in data_keys:
            data_keys.remove('tokens_per_group')
            data__tokenspergroup = data['tokens_per_group']
            if not isinstance(data__tokenspergroup, (list, tuple)):
                raise Invalid
            data__tokenspergroup_is_list = isinstance(data__tokenspergroup, (list, tuple))
            if data__tokenspergroup_is_list:
                data__tokenspergroup_len = len(data__tokenspergroup)
                for data__tokenspergroup_x, data__tokenspergroup_item in enumerate(data__tokenspergroup):
                    if not isinstance(data__tokenspergroup_item, int) and (not (isinstance(data__tokenspergroup_item, float) and data__tokenspergroup_item.is_integer())) or isinstance(data__tokenspergroup_item, bool):
                        raise Invalid
                    if isinstance(data__tokenspergroup_item, (int, float)) and (not isinstance(data__tokenspergroup_item, bool)):
                        if data__tokenspergroup_item < 0:
                            raise Invalid
        if 'rnd_state' in data_keys:
            data_keys.remove('rnd_state')
            data__rndstate = data['rnd_state']
            if not isinstance(data__rndstate, (list, tuple)):
                raise Invalid
            data__rndstate_is_list = isinstance(data__rndstate, (list, tuple))
            if data__rndstate_is_list:
                data__rndstate_len = len(data__rndstate)
                if data__rndstate_len < 3:
                    raise Invalid
                if data__rndstate_len > 3:
                    raise Invalid
                if data__rndstate_len > 0:
                    data__rndstate__0 = data__rndstate[0]
                    if not (isinstance(data__rndstate__0, (int, float)) and (not isinstance(data__rndstate__0, bool)) and (data__rndstate__0 == 3)):
                        raise Invalid
                if data__rndstate_len > 1:
                    data__rndstate__1 = data__rndstate[1]
                    if not isinstance(data__rndstate__1, (list, tuple)):
                        raise Invalid
                    data__rndstate__1_is_list = isinstance(data__rndstate__1, (list, tuple))
                    if data__rndstate__1_is_list:
                        data__rndstate__1_len = len(data__rndstate__1)
                        if data__rndstate__1_len < 625:
                            raise Invalid
                        if data__rndstate__1_len > 625:
                            raise Invalid
                        for data__rndstate__1_x, data__rndstate__1_item in enumerate(data__rndstate__1):
                            if not isinstance(data__rndstate__1_item, int) and (not (isinstance(data__rndstate__1_item, float) and data__rndstate__1_item.is_integer())) or isinstance(data__rndstate__1_item, bool):
                                raise Invalid
                if data__rndstate_len > 2:
                    data__rndstate__2 = data__rndstate[2]
                    if not isinstance(data__rndstate__2, (NoneType, int, float)) or isinstance(data__rndstate__2, bool):
                        raise Invalid
        if data_keys:
            raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['agent_tokens']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['tokens_per_second']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_len = len(data)
            if data_len != 0:
                data_property_names = True
                for data_key in data:
                    try:
                        if not (isinstance(data_key, str) and data_key == 'total_tokens' or (isinstance(data_key, str) and data_key == 'agent_costs_usd') or (isinstance(data_key, str) and data_key == 'managing_costs_usd') or (isinstance(data_key, str) and data_key == 'duration') or (isinstance(data_key, str) and data_key == 'tokens_per_second') or (isinstance(data_key, str) and data_key == 'tokens_per_group')):
                            raise Invalid
                    except (Invalid,):
                        data_property_names = False
                if not data_property_names:
                    raise Invalid
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            data_len = len(data)
            if data_len != 0:
                data_property_names = True
                for data_key in data:
                    try:
                        if not (isinstance(data_key, str) and data_key == 'total_tokens' or (isinstance(data_key, str) and data_key == 'agent_tokens') or (isinstance(data_key, str) and data_key == 'agent_costs_usd') or (isinstance(data_key, str) and data_key == 'managing_costs_usd') or (isinstance(data_key, str) and data_key == 'duration') or (isinstance(data_key, str) and data_key == 'rnd_state')):
                            raise Invalid
                    except (Invalid,):
                        data_property_names = False
                if not data_property_names:
                    raise Invalid
    return data
