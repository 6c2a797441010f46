"""Generated from schemas/ltm-log.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['type']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'type' in data_keys:
                data_keys.remove('type')
                data__type = data['type']
                if not (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 0) or (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 4))):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'data' in data_keys:
                data_keys.remove('data')
                data__data = data['data']
                data__data_is_dict = isinstance(data__data, dict)
                if data__data_is_dict:
                    data__data__missing_keys = set(['message', 'is_question']) - data__data.keys()
                    if data__data__missing_keys:
                        raise Invalid
                    data__data_keys = set(data__data.keys())
                    if 'message' in data__data_keys:
                        data__data_keys.remove('message')
                        data__data__message = data__data['message']
                        if not isinstance(data__data__message, str):
                            raise Invalid
                    if 'is_question' in data__data_keys:
                        data__data_keys.remove('is_question')
                        data__data__isquestion = data__data['is_question']
                        if not isinstance(data__data__isquestion, bool):
                            raise Invalid
                    data__data_len = len(data__data)
                    if data__data_len != 0:
                        data__data_property_names = True
                        for data__data_key in data__data:
                            try:
                                if not (isinstance(data__data_key, str) and data__data_key == 'message' or (isinstance(data__data_key, str) and data__data_key == 'is_question')):
                                    raise Invalid
                            except (Invalid,):
                                data__data_property_names = False
                        if not data__data_property_names:
                            raise Invalid
            if 'test_id' in data_keys:
                data_keys.remove('test_id')
                data__testid = data['test_id']
                if isinstance(data__testid, str):
                    data__testid_len = len(data__testid)
                    if data__testid_len < 1:
                        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['type']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'type' in data_keys:
                data_keys.remove('type')
                data__type = data['type']
                if not (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 3) or (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 5))):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'data' in data_keys:
                data_keys.remove('data')
                data__data = data['data']
                data__data_is_dict = isinstance(data__data, dict)
                if data__data_is_dict:
                    data__data__missing_keys = set(['message', 'is_question']) - data__data.keys()
                    if data__data__missing_keys:
                        raise Invalid
                    data__data_keys = set(data__data.keys())
                    if 'message' in data__data_keys:
                        data__data_keys.remove('message')
                        data__data__message = data__data['message']
                        if not isinstance(data__data__message, str):
                            raise Invalid
                    if 'is_question' in data__data_keys:
                        data__data_keys.remove('is_question')
                        data__data__isquestion = data__data['is_question']
                        if not (isinstance(data__data__isquestion, bool) and data__data__isquestion is False):
                            raise Invalid
                    data__data_len = len(data__data)
                    if data__data_len != 0:
                        data__data_property_names = True
                        for data__data_key in data__data:
                            try:
                                if not (isinstance(data__data_key, str) and data__data_key == 'message' or (isinstance(data__data_key, str) and data__data_key == 'is_question')):
                                    raise Invalid
                            except (Invalid,):
                                data__data_property_names = False
                        if not data__data_property_names:
                            raise Invalid
            if 'test_id' in data_keys:
                data_keys.remove('test_id')
                data__testid = data['test_id']
                if not (isinstance(data__testid, str) and data__testid == ''):
                    raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['type']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'type' in data_keys:
                data_keys.remove('type')
                data__type = data['type']
                if not (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 1)):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'data' in data_keys:
                data_keys.remove('data')
                data__data = data['data']
                data__data_is_dict = isinstance(data__data, dict)
                if data__data_is_dict:
                    data__data_keys = set(data__data.keys())
                    if 'tokens' in data__data_keys:
                        data__data_keys.remove('tokens')
                        data__data__tokens = data__data['tokens']
                        if not isinstance(data__data__tokens, int) and (not (isinstance(data__data__tokens, float) and data__data__tokens.is_integer())) or isinstance(data__data__tokens, bool):
                            raise Invalid
                        if isinstance(data__data__tokens, (int, float)) and (not isinstance(data__data__tokens, bool)):
                            if data__data__tokens < 0:
                                raise Invalid
                    data__data_len = len(data__data)
                    if data__data_len != 0:
                        data__data_property_names = True
                        for data__data_key in data__data:
                            try:
                                if not (isinstance(data__data_key, str) and data__data_key == 'tokens'):
                                    raise Invalid
                            except (Invalid,):
                                data__data_property_names = False
                        if not data__data_property_names:
                            raise Invalid
            if 'test_id' in data_keys:
                data_keys.remove('test_id')
                data__testid = data['test_id']
                if isinstance(data__testid, str):
                    data__testid_len = len(data__testid)
                    if data__testid_len < 1:
                        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['type']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'type' in data_keys:
                data_keys.remove('type')
                data__type = data['type']
                if not (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 2) or (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 9)) or (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 10))):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'data' in data_keys:
                data_keys.remove('data')
                data__data = data['data']
                data__data_is_dict = isinstance(data__data, dict)
                if data__data_is_dict:
                    data__data_len = len(data__data)
                    if data__data_len > 0:
                        raise Invalid
            if 'test_id' in data_keys:
                data_keys.remove('test_id')
                data__testid = data['test_id']
                if isinstance(data__testid, str):
                    data__testid_len = len(data__testid)
                    if data__testid_len < 1:
                        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['type']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'type' in data_keys:
                data_keys.remove('type')
                data__type = data['type']
                if not (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 6)):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'data' in data_keys:
                data_keys.remove('data')
                data__data = data['data']
                data__data_is_dict = isinstance(data__data, dict)
                if data__data_is_dict:
                    data__data__missing_keys = set(['tokens', 'time']) - data__data.keys()
                    if data__data__missing_keys:
                        raise Invalid
                    data__data_keys = set(data__data.keys())
                    if 'tokens' in data__data_keys:
                        data__data_keys.remove('tokens')
                        data__data__tokens = data__data['tokens']
                        if not isinstance(data__data__tokens, int) and (not (isinstance(data__data__tokens, float) and data__data__tokens.is_integer())) or isinstance(data__data__tokens, bool):
                            raise Invalid
                        if isinstance(data__data__tokens, (int, float)) and (not isinstance(data__data__tokens, bool)):
                            if data__data__tokens < 0:
                                raise Invalid
                    if 'time' in data__data_keys:
                        data__data_keys.remove('time')
                        data__data__time = data__data['time']
                        if not isinstance(data__data__time, (int, float)) or isinstance(data__data__time, bool):
                            raise Invalid
                        if isinstance(data__data__time, (int, float)) and (not isinstance(data__data__time, bool)):
                            if data__data__time < 0:
                                raise Invalid
                    if 'percentage_finished' in data__data_keys:
                        data__data_keys.remove('percentage_finished')
                        data__data__percentagefinished = data__data['percentage_finished']
                        if not isinstance(data__data__percentagefinished, (int, float)) or isinstance(data__data__percentagefinished, bool):
                            raise Invalid
                        if isinstance(data__data__percentagefinished, (int, float)) and (not isinstance(data__data__percentagefinished, bool)):
                            if data__data__percentagefinished < 0:
                                raise Invalid
                            if data__data__percentagefinished > 100:
                                raise Invalid
                    data__data_len = len(data__data)
                    if data__data_len != 0:
                        data__data_property_names = True
                        for data__data_key in data__data:
                            try:
                                if not (isinstance(data__data_key, str) and data__data_key == 'tokens' or (isinstance(data__data_key, str) and data__data_key == 'time') or (isinstance(data__data_key, str) and data__data_key == 'percentage_finished')):
                                    raise Invalid
                            except (Invalid,):
                                data__data_property_names = False
                        if not data__data_property_names:
                            raise Invalid
            if 'test_id' in data_keys:
                data_keys.remove('test_id')
                data__testid = data['test_id']
                if isinstance(data__testid, str):
                    data__testid_len = len(data__testid)
                    if data__testid_len < 1:
                        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['type']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'type' in data_keys:
                data_keys.remove('type')
                data__type = data['type']
                if not (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 7)):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'data' in data_keys:
                data_keys.remove('data')
                data__data = data['data']
                data__data_is_dict = isinstance(data__data, dict)
                if data__data_is_dict:
                    data__data_keys = set(data__data.keys())
                    if 'policy' in data__data_keys:
                        data__data_keys.remove('policy')
                        data__data__policy = data__data['policy']
                        if not isinstance(data__data__policy, int) and (not (isinstance(data__data__policy, float) and data__data__policy.is_integer())) or isinstance(data__data__policy, bool):
                            raise Invalid
                    data__data_len = len(data__data)
                    if data__data_len != 0:
                        data__data_property_names = True
                        for data__data_key in data__data:
                            try:
                                if not (isinstance(data__data_key, str) and data__data_key == 'policy'):
                                    raise Invalid
                            except (Invalid,):
                                data__data_property_names = False
                        if not data__data_property_names:
                            raise Invalid
            if 'test_id' in data_keys:
                data_keys.remove('test_id')
                data__testid = data['test_id']
                if not (isinstance(data__testid, str) and data__testid == ''):
                    raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['type']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'type' in data_keys:
                data_keys.remove('type')
                data__type = data['type']
                if not (isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)) and (data__type == 8)):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'data' in data_keys:
                data_keys.remove('data')
                data__data = data['data']
                data__data_is_dict = isinstance(data__data, dict)
                if data__data_is_dict:
                    data__data__missing_keys = set(['response']) - data__data.keys()
                    if data__data__missing_keys:
                        raise Invalid
                    data__data_keys = set(data__data.keys())
                    if 'response' in data__data_keys:
                        data__data_keys.remove('response')
                        data__data__response = data__data['response']
                        if not isinstance(data__data__response, str):
                            raise Invalid
                    data__data_len = len(data__data)
                    if data__data_len != 0:
                        data__data_property_names = True
                        for data__data_key in data__data:
                            try:
                                if not (isinstance(data__data_key, str) and data__data_key == 'response'):
                                    raise Invalid
                            except (Invalid,):
                                data__data_property_names = False
                        if not data__data_property_names:
                            raise Invalid
            if 'test_id' in data_keys:
                data_keys.remove('test_id')
                data__testid = data['test_id']
                if isinstance(data__testid, str):
                    data__testid_len = len(data__testid)
                    if data__testid_len < 1:
                        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['type', 'timestamp', 'test_id', 'data']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'type' in data_keys:
            data_keys.remove('type')
            data__type = data['type']
            if not isinstance(data__type, int) and (not (isinstance(data__type, float) and data__type.is_integer())) or isinstance(data__type, bool):
                raise Invalid
            if isinstance(data__type, (int, float)) and (not isinstance(data__type, bool)):
                if data__type < 0:
                    raise Invalid
                if data__type > 10:
                    raise Invalid
        if 'timestamp' in data_keys:
            data_keys.remove('timestamp')
            data__timestamp = data['timestamp']
            if not isinstance(data__timestamp, (int, float)) or isinstance(data__timestamp, bool):
                raise Invalid
        if 'test_id' in data_keys:
            data_keys.remove('test_id')
            data__testid = data['test_id']
            if not isinstance(data__testid, str):
                raise Invalid
        if 'data' in data_keys:
            data_keys.remove('data')
            data__data = data['data']
            if not isinstance(data__data, dict):
                raise Invalid
        if data_keys:
            raise Invalid
    return data
