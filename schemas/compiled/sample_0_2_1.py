"""Generated from schemas/sample-0.2.1.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'interaction_type' in data_keys:
                data_keys.remove('interaction_type')
                data__interactiontype = data['interaction_type']
                if not (isinstance(data__interactiontype, str) and data__interactiontype == 'single_turn'):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['output']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'output' in data_keys:
                data_keys.remove('output')
                data__output = data['output']
                if not isinstance(data__output, dict):
                    raise Invalid
                try:
                    if not isinstance(data__output, NoneType):
                        raise Invalid
                except (Invalid,):
                    pass
                else:
                    raise Invalid
            if 'messages' in data_keys:
                data_keys.remove('messages')
                data__messages = data['messages']
                if not isinstance(data__messages, NoneType):
                    raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'interaction_type' in data_keys:
                data_keys.remove('interaction_type')
                data__interactiontype = data['interaction_type']
                if not (isinstance(data__interactiontype, str) and data__interactiontype == 'multi_turn' or (isinstance(data__interactiontype, str) and data__interactiontype == 'agentic')):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['messages']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'output' in data_keys:
                data_keys.remove('output')
                data__output = data['output']
                if not isinstance(data__output, NoneType):
                    raise Invalid
            if 'messages' in data_keys:
                data_keys.remove('messages')
                data__messages = data['messages']
                if not isinstance(data__messages, (list, tuple)):
                    raise Invalid
                try:
                    if not isinstance(data__messages, NoneType):
                        raise Invalid
                except (Invalid,):
                    pass
                else:
                    raise Invalid
            if 'metrics' in data_keys:
                data_keys.remove('metrics')
                data__metrics = data['metrics']
                data__metrics_is_dict = isinstance(data__metrics, dict)
                if data__metrics_is_dict:
                    data__metrics__missing_keys = set(['num_turns']) - data__metrics.keys()
                    if data__metrics__missing_keys:
                        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['schema_version', 'evaluation_id', 'model_id', 'evaluation_name', 'sample_id', 'interaction_type', 'input', 'answer_attribution', 'evaluation']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'schema_version' in data_keys:
            data_keys.remove('schema_version')
            data__schemaversion = data['schema_version']
            if not isinstance(data__schemaversion, str):
                raise Invalid
        if 'evaluation_id' in data_keys:
            data_keys.remove('evaluation_id')
            data__evaluationid = data['evaluation_id']
            if not isinstance(data__evaluationid, str):
                raise Invalid
        if 'model_id' in data_keys:
            data_keys.remove('model_id')
            data__modelid = data['model_id']
            if not isinstance(data__modelid, str):
                raise Invalid
        if 'evaluation_name' in data_keys:
            data_keys.remove('evaluation_name')
            data__evaluationname = data['evaluation_name']
            if not isinstance(data__evaluationname, str):
                raise Invalid
        if 'sample_id' in data_keys:
            data_keys.remove('sample_id')
            data__sampleid = data['sample_id']
            if not isinstance(data__sampleid, str):
                raise Invalid
        if 'sample_hash' in data_keys:
            data_keys.remove('sample_hash')
            data__samplehash = data['sample_hash']
            if not isinstance(data__samplehash, (str, NoneType)):
                raise Invalid
        if 'interaction_type' in data_keys:
            data_keys.remove('interaction_type')
            data__interactiontype = data['interaction_type']
            if not isinstance(data__interactiontype, str):
                raise Invalid
            if not (isinstance(data__interactiontype, str) and data__interactiontype == 'single_turn' or (isinstance(data__interactiontype, str) and data__interactiontype == 'multi_turn') or (isinstance(data__interactiontype, str) and data__interactiontype == 'agentic')):
                raise Invalid
        if 'input' in data_keys:
            data_keys.remove('input')
            data__input = data['input']
            if not isinstance(data__input, dict):
                raise Invalid
            data__input_is_dict = isinstance(data__input, dict)
            if data__input_is_dict:
                data__input__missing_keys = set(['raw', 'reference']) - data__input.keys()
                if data__input__missing_keys:
                    raise Invalid
                data__input_keys = set(data__input.keys())
                if 'raw' in data__input_keys:
                    data__input_keys.remove('raw')
                    data__input__raw = data__input['raw']
                    if not isinstance(data__input__raw, str):
                        raise Invalid
                if 'formatted' in data__input_keys:
                    data__input_keys.remove('formatted')
                    data__input__formatted = data__input['formatted']
                    if not isinstance(data__input__formatted, (str, NoneType)):
                        raise Invalid
                if 'reference' in data__input_keys:
                    data__input_keys.remove('reference')
                    data__input__reference = data__input['reference']
                    if not isinstance(data__input__reference, (list, tuple)):
                        raise Invalid
                    data__input__reference_is_list = isinstance(data__input__reference, (list, tuple))
                    if data__input__reference_is_list:
                        data__input__reference_len = len(data__input__reference)
                        for data__input__reference_x, data__input__reference_item in enumerate(data__input__reference):
                            if not isinstance(data__input__reference_item, str):
                                raise Invalid
                if 'choices' in data__input_keys:
                    data__input_keys.remove('choices')
                    data__input__choices = data__input['choices']
                    if not isinstance(data__input__choices, (list, tuple, NoneType)):
                        raise Invalid
                    data__input__choices_is_list = isinstance(data__input__choices, (list, tuple))
                    if data__input__choices_is_list:
                        data__input__choices_len = len(data__input__choices)
                        for data__input__choices_x, data__input__choices_item in enumerate(data__input__choices):
                            if not isinstance(data__input__choices_item, str):
                                raise Invalid
        if 'output' in data_keys:
            data_keys.remove('output')
            data__output = data['output']
            if not isinstance(data__output, (dict, NoneType)):
                raise Invalid
            data__output_is_dict = isinstance(data__output, dict)
            if data__output_is_dict:
                data__output__missing_keys = set(['raw']) - data__output.keys()
                if data__output__missing_keys:
                    raise Invalid
                data__output_keys = set(data__output.keys())
                if 'raw' in data__output_keys:
                    data__output_keys.remove('raw')
                    data__output__raw = data__output['raw']
                    if not isinstance(data__output__raw, (list, tuple)):
                        raise Invalid
                    data__output__raw_is_list = isinstance(data__output__raw, (list, tuple))
                    if data__output__raw_is_list:
                        data__output__raw_len = len(data__output__raw)
                        for data__output__raw_x, data__output__raw_item in enumerate(data__output__raw):
                            if not isinstance(data__output__raw_item, str):
                                raise Invalid
                if 'reasoning_trace' in data__output_keys:
                    data__output_keys.remove('reasoning_trace')
                    data__output__reasoningtrace = data__output['reasoning_trace']
                    if not isinstance(data__output__reasoningtrace, (list, tuple, NoneType)):
                        raise Invalid
                    data__output__reasoningtrace_is_list = isinstance(data__output__reasoningtrace, (list, tuple))
                    if data__output__reasoningtrace_is_list:
                        data__output__reasoningtrace_len = len(data__output__reasoningtrace)
                        for data__output__reasoningtrace_x, data__output__reasoningtrace_item in enumerate(data__output__reasoningtrace):
                            if not isinstance(data__output__reasoningtrace_item, str):
                                raise Invalid
        if 'messages' in data_keys:
            data_keys.remove('messages')
            data__messages = data['messages']
            if not isinstance(data__messages, (list, tuple, NoneType)):
                raise Invalid
            data__messages_is_list = isinstance(data__messages, (list, tuple))
            if data__messages_is_list:
                data__messages_len = len(data__messages)
                for data__messages_x, data__messages_item in enumerate(data__messages):
                    if not isinstance(data__messages_item, dict):
                        raise Invalid
                    data__messages_item_is_dict = isinstance(data__messages_item, dict)
                    if data__messages_item_is_dict:
                        data__messages_item__missing_keys = set(['turn_idx', 'role']) - data__messages_item.keys()
                        if data__messages_item__missing_keys:
                            raise Invalid
                        data__messages_item_keys = set(data__messages_item.keys())
                        if 'turn_idx' in data__messages_item_keys:
                            data__messages_item_keys.remove('turn_idx')
                            data__messages_item__turnidx = data__messages_item['turn_idx']
                            if not isinstance(data__messages_item__turnidx, int) and (not (isinstance(data__messages_item__turnidx, float) and data__messages_item__turnidx.is_integer())) or isinstance(data__messages_item__turnidx, bool):
                                raise Invalid
                            if isinstance(data__messages_item__turnidx, (int, float)) and (not isinstance(data__messages_item__turnidx, bool)):
                                if data__messages_item__turnidx < 0:
                                    raise Invalid
                        if 'role' in data__messages_item_keys:
                            data__messages_item_keys.remove('role')
                            data__messages_item__role = data__messages_item['role']
                            if not isinstance(data__messages_item__role, str):
                                raise Invalid
                        if 'content' in data__messages_item_keys:
                            data__messages_item_keys.remove('content')
                            data__messages_item__content = data__messages_item['content']
                            if not isinstance(data__messages_item__content, (str, NoneType)):
                                raise Invalid
                        if 'reasoning_trace' in data__messages_item_keys:
                            data__messages_item_keys.remove('reasoning_trace')
                            data__messages_item__reasoningtrace = data__messages_item['reasoning_trace']
                            if not isinstance(data__messages_item__reasoningtrace, (str, NoneType)):
                                raise Invalid
                        if 'tool_calls' in data__messages_item_keys:
                            data__messages_item_keys.remove('tool_calls')
                            data__messages_item__toolcalls = data__messages_item['tool_calls']
                            if not isinstance(data__messages_item__toolcalls, (list, tuple, NoneType)):
                                raise Invalid
                            data__messages_item__toolcalls_is_list = isinstance(data__messages_item__toolcalls, (list, tuple))
                            if data__messages_item__toolcalls_is_list:
                                data__messages_item__toolcalls_len = len(data__messages_item__toolcalls)
                                for data__messages_item__toolcalls_x, data__messages_item__toolcalls_item in enumerate(data__messages_item__toolcalls):
                                    if not isinstance(data__messages_item__toolcalls_item, dict):
                                        raise Invalid
                                    data__messages_item__toolcalls_item_is_dict = isinstance(data__messages_item__toolcalls_item, dict)
                                    if data__messages_item__toolcalls_item_is_dict:
                                        data__messages_item__toolcalls_item__missing_keys = set(['id', 'name']) - data__messages_item__toolcalls_item.keys()
                                        if data__messages_item__toolcalls_item__missing_keys:
                                            raise Invalid
                                        data__messages_item__toolcalls_item_keys = set(data__messages_item__toolcalls_item.keys())
                                        if 'id' in data__messages_item__toolcalls_item_keys:
                                            data__messages_item__toolcalls_item_keys.remove('id')
                                            data__messages_item__toolcalls_item__id = data__messages_item__toolcalls_item['id']
                                            if not isinstance(data__messages_item__toolcalls_item__id, str):
                                                raise Invalid
                                        if 'name' in data__messages_item__toolcalls_item_keys:
                                            data__messages_item__toolcalls_item_keys.remove('name')
                                            data__messages_item__toolcalls_item__name = data__messages_item__toolcalls_item['name']
                                            if not isinstance(data__messages_item__toolcalls_item__name, str):
                                                raise Invalid
                                        if 'arguments' in data__messages_item__toolcalls_item_keys:
                                            data__messages_item__toolcalls_item_keys.remove('arguments')
                                            data__messages_item__toolcalls_item__arguments = data__messages_item__toolcalls_item['arguments']
                                            if not isinstance(data__messages_item__toolcalls_item__arguments, (dict, NoneType)):
                                                raise Invalid
                                            data__messages_item__toolcalls_item__arguments_is_dict = isinstance(data__messages_item__toolcalls_item__arguments, dict)
                                            if data__messages_item__toolcalls_item__arguments_is_dict:
                                                data__messages_item__toolcalls_item__arguments_keys = set(data__messages_item__toolcalls_item__arguments.keys())
                                                for data__messages_item__toolcalls_item__arguments_key in data__messages_item__toolcalls_item__arguments_keys:
                                                    if data__messages_item__toolcalls_item__arguments_key not in []:
                                                        data__messages_item__toolcalls_item__arguments_value = data__messages_item__toolcalls_item__arguments.get(data__messages_item__toolcalls_item__arguments_key)
                                                        if not isinstance(data__messages_item__toolcalls_item__arguments_value, str):
                                                            raise Invalid
                        if 'tool_call_id' in data__messages_item_keys:
                            data__messages_item_keys.remove('tool_call_id')
                            data__messages_item__toolcallid = data__messages_item['tool_call_id']
                            if not isinstance(data__messages_item__toolcallid, (list, tuple, NoneType)):
                                raise Invalid
                            data__messages_item__toolcallid_is_list = isinstance(data__messages_item__toolcallid, (list, tuple))
                            if data__messages_item__toolcallid_is_list:
                                data__messages_item__toolcallid_len = len(data__messages_item__toolcallid)
                                for data__messages_item__toolcallid_x, data__messages_item__toolcallid_item in enumerate(data__messages_item__toolcallid):
                                    if not isinstance(data__messages_item__toolcallid_item, str):
                                        raise Invalid
        if 'answer_attribution' in data_keys:
            data_keys.remove('answer_attribution')
            data__answerattribution = data['answer_attribution']
            if not isinstance(data__answerattribution, (list, tuple)):
                raise Invalid
            data__answerattribution_is_list = isinstance(data__answerattribution, (list, tuple))
            if data__answerattribution_is_list:
                data__answerattribution_len = len(data__answerattribution)
                for data__answerattribution_x, data__answerattribution_item in enumerate(data__answerattribution):
                    if not isinstance(data__answerattribution_item, dict):
                        raise Invalid
                    data__answerattribution_item_is_dict = isinstance(data__answerattribution_item, dict)
                    if data__answerattribution_item_is_dict:
                        data__answerattribution_item__missing_keys = set(['turn_idx', 'source', 'extracted_value', 'extraction_method', 'is_terminal']) - data__answerattribution_item.keys()
                        if data__answerattribution_item__missing_keys:
                            raise Invalid
                        data__answerattribution_item_keys = set(data__answerattribution_item.keys())
                        if 'turn_idx' in data__answerattribution_item_keys:
                            data__answerattribution_item_keys.remove('turn_idx')
                            data__answerattribution_item__turnidx = data__answerattribution_item['turn_idx']
                            if not isinstance(data__answerattribution_item__turnidx, int) and (not (isinstance(data__answerattribution_item__turnidx, float) and data__answerattribution_item__turnidx.is_integer())) or isinstance(data__answerattribution_item__turnidx, bool):
                                raise Invalid
                            if isinstance(data__answerattribution_item__turnidx, (int, float)) and (not isinstance(data__answerattribution_item__turnidx, bool)):
                                if data__answerattribution_item__turnidx < 0:
                                    raise Invalid
                        if 'source' in data__answerattribution_item_keys:
                            data__answerattribution_item_keys.remove('source')
                            data__answerattribution_item__source = data__answerattribution_item['source']
                            if not isinstance(data__answerattribution_item__source, str):
                                raise Invalid
                        if 'extracted_value' in data__answerattribution_item_keys:
                            data__answerattribution_item_keys.remove('extracted_value')
                            data__answerattribution_item__extractedvalue = data__answerattribution_item['extracted_value']
                            if not isinstance(data__answerattribution_item__extractedvalue, str):
                                raise Invalid
                        if 'extraction_method' in data__answerattribution_item_keys:
                            data__answerattribution_item_keys.remove('extraction_method')
                            data__answerattribution_item__extractionmethod = data__answerattribution_item['extraction_method']
                            if not isinstance(data__answerattribution_item__extractionmethod, str):
                                raise Invalid
                        if 'is_terminal' in data__answerattribution_item_keys:
                            data__answerattribution_item_keys.remove('is_terminal')
                            data__answerattribution_item__isterminal = data__answerattribution_item['is_terminal']
                            if not isinstance(data__answerattribution_item__isterminal, bool):
                                raise Invalid
        if 'evaluation' in data_keys:
            data_keys.remove('evaluation')
            data__evaluation = data['evaluation']
            if not isinstance(data__evaluation, dict):
                raise Invalid
            data__evaluation_is_dict = isinstance(data__evaluation, dict)
            if data__evaluation_is_dict:
                data__evaluation__missing_keys = set(['score', 'is_correct']) - data__evaluation.keys()
                if data__evaluation__missing_keys:
                    raise Invalid
                data__evaluation_keys = set(data__evaluation.keys())
                if 'score' in data__evaluation_keys:
                    data__evaluation_keys.remove('score')
                    data__evaluation__score = data__evaluation['score']
                    if not isinstance(data__evaluation__score, (int, float)) or isinstance(data__evaluation__score, bool):
                        raise Invalid
                if 'is_correct' in data__evaluation_keys:
                    data__evaluation_keys.remove('is_correct')
                    data__evaluation__iscorrect = data__evaluation['is_correct']
                    if not isinstance(data__evaluation__iscorrect, bool):
                        raise Invalid
                if 'num_turns' in data__evaluation_keys:
                    data__evaluation_keys.remove('num_turns')
                    data__evaluation__numturns = data__evaluation['num_turns']
                    if not isinstance(data__evaluation__numturns, (int, NoneType)) and (not (isinstance(data__evaluation__numturns, float) and data__evaluation__numturns.is_integer())) or isinstance(data__evaluation__numturns, bool):
                        raise Invalid
                    if isinstance(data__evaluation__numturns, (int, float)) and (not isinstance(data__evaluation__numturns, bool)):
                        if data__evaluation__numturns < 1:
                            raise Invalid
                if 'tool_calls_count' in data__evaluation_keys:
                    data__evaluation_keys.remove('tool_calls_count')
                    data__evaluation__toolcallscount = data__evaluation['tool_calls_count']
                    if not isinstance(data__evaluation__toolcallscount, (int, NoneType)) and (not (isinstance(data__evaluation__toolcallscount, float) and data__evaluation__toolcallscount.is_integer())) or isinstance(data__evaluation__toolcallscount, bool):
                        raise Invalid
                    if isinstance(data__evaluation__toolcallscount, (int, float)) and (not isinstance(data__evaluation__toolcallscount, bool)):
                        if data__evaluation__toolcallscount < 0:
                            raise Invalid
        if 'token_usage' in data_keys:
            data_keys.remove('token_usage')
            data__tokenusage = data['token_usage']
            if not isinstance(data__tokenusage, (dict, NoneType)):
                raise Invalid
            data__tokenusage_is_dict = isinstance(data__tokenusage, dict)
            if data__tokenusage_is_dict:
                data__tokenusage__missing_keys = set(['input_tokens', 'output_tokens', 'total_tokens']) - data__tokenusage.keys()
                if data__tokenusage__missing_keys:
                    raise Invalid
                data__tokenusage_keys = set(data__tokenusage.keys())
                if 'input_tokens' in data__tokenusage_keys:
                    data__tokenusage_keys.remove('input_tokens')
                    data__tokenusage__inputtokens = data__tokenusage['input_tokens']
                    if not isinstance(data__tokenusage__inputtokens, int) and (not (isinstance(data__tokenusage__inputtokens, float) and data__tokenusage__inputtokens.is_integer())) or isinstance(data__tokenusage__inputtokens, bool):
                        raise Invalid
                    if isinstance(data__tokenusage__inputtokens, (int, float)) and (not isinstance(data__tokenusage__inputtokens, bool)):
                        if data__tokenusage__inputtokens < 0:
                            raise Invalid
                if 'output_tokens' in data__tokenusage_keys:
                    data__tokenusage_keys.remove('output_tokens')
                    data__tokenusage__outputtokens = data__tokenusage['output_tokens']
                    if not isinstance(data__tokenusage__outputtokens, int) and (not (isinstance(data__tokenusage__outputtokens, float) and data__tokenusage__outputtokens.is_integer())) or isinstance(data__tokenusage__outputtokens, bool):
                        raise Invalid
                    if isinstance(data__tokenusage__outputtokens, (int, float)) and (not isinstance(data__tokenusage__outputtokens, bool)):
                        if data__tokenusage__outputtokens < 0:
                            raise Invalid
                if 'total_tokens' in data__tokenusage_keys:
                    data__tokenusage_keys.remove('total_tokens')
                    data__tokenusage__totaltokens = data__tokenusage['total_tokens']
                    if not isinstance(data__tokenusage__totaltokens, int) and (not (isinstance(data__tokenusage__totaltokens, float) and data__tokenusage__totaltokens.is_integer())) or isinstance(data__tokenusage__totaltokens, bool):
                        raise Invalid
                    if isinstance(data__tokenusage__totaltokens, (int, float)) and (not isinstance(data__tokenusage__totaltokens, bool)):
                        if data__tokenusage__totaltokens < 0:
                            raise Invalid
                if 'input_tokens_cache_write' in data__tokenusage_keys:
                    data__tokenusage_keys.remove('input_tokens_cache_write')
                    data__tokenusage__inputtokenscachewrite = data__tokenusage['input_tokens_cache_write']
                    if not isinstance(data__tokenusage__inputtokenscachewrite, (int, NoneType)) and (not (isinstance(data__tokenusage__inputtokenscachewrite, float) and data__tokenusage__inputtokenscachewrite.is_integer())) or isinstance(data__tokenusage__inputtokenscachewrite, bool):
                        raise Invalid
                    if isinstance(data__tokenusage__inputtokenscachewrite, (int, float)) and (not isinstance(data__tokenusage__inputtokenscachewrite, bool)):
                        if data__tokenusage__inputtokenscachewrite < 0:
                            raise Invalid
                if 'input_tokens_cache_read' in data__tokenusage_keys:
                    data__tokenusage_keys.remove('input_tokens_cache_read')
                    data__tokenusage__inputtokenscacheread = data__tokenusage['input_tokens_cache_read']
                    if not isinstance(data__tokenusage__inputtokenscacheread, (int, NoneType)) and (not (isinstance(data__tokenusage__inputtokenscacheread, float) and data__tokenusage__inputtokenscacheread.is_integer())) or isinstance(data__tokenusage__inputtokenscacheread, bool):
                        raise Invalid
                    if isinstance(data__tokenusage__inputtokenscacheread, (int, float)) and (not isinstance(data__tokenusage__inputtokenscacheread, bool)):
                        if data__tokenusage__inputtokenscacheread < 0:
                            raise Invalid
                if 'reasoning_tokens' in data__tokenusage_keys:
                    data__tokenusage_keys.remove('reasoning_tokens')
                    data__tokenusage__reasoningtokens = data__tokenusage['reasoning_tokens']
                    if not isinstance(data__tokenusage__reasoningtokens, (int, NoneType)) and (not (isinstance(data__tokenusage__reasoningtokens, float) and data__tokenusage__reasoningtokens.is_integer())) or isinstance(data__tokenusage__reasoningtokens, bool):
                        raise Invalid
                    if isinstance(data__tokenusage__reasoningtokens, (int, float)) and (not isinstance(data__tokenusage__reasoningtokens, bool)):
                        if data__tokenusage__reasoningtokens < 0:
                            raise Invalid
        if 'performance' in data_keys:
            data_keys.remove('performance')
            data__performance = data['performance']
            if not isinstance(data__performance, (dict, NoneType)):
                raise Invalid
            data__performance_is_dict = isinstance(data__performance, dict)
            if data__performance_is_dict:
                data__performance_keys = set(data__performance.keys())
                if 'latency_ms' in data__performance_keys:
                    data__performance_keys.remove('latency_ms')
                    data__performance__latencyms = data__performance['latency_ms']
                    if not isinstance(data__performance__latencyms, (int, float, NoneType)) or isinstance(data__performance__latencyms, bool):
                        raise Invalid
                    if isinstance(data__performance__latencyms, (int, float)) and (not isinstance(data__performance__latencyms, bool)):
                        if data__performance__latencyms < 0:
                            raise Invalid
                if 'time_to_first_token_ms' in data__performance_keys:
                    data__performance_keys.remove('time_to_first_token_ms')
                    data__performance__timetofirsttokenms = data__performance['time_to_first_token_ms']
                    if not isinstance(data__performance__timetofirsttokenms, (int, float, NoneType)) or isinstance(data__performance__timetofirsttokenms, bool):
                        raise Invalid
                    if isinstance(data__performance__timetofirsttokenms, (int, float)) and (not isinstance(data__performance__timetofirsttokenms, bool)):
                        if data__performance__timetofirsttokenms < 0:
                            raise Invalid
                if 'generation_time_ms' in data__performance_keys:
                    data__performance_keys.remove('generation_time_ms')
                    data__performance__generationtimems = data__performance['generation_time_ms']
                    if not isinstance(data__performance__generationtimems, (int, float, NoneType)) or isinstance(data__performance__generationtimems, bool):
                        raise Invalid
                    if isinstance(data__performance__generationtimems, (int, float)) and (not isinstance(data__performance__generationtimems, bool)):
                        if data__performance__generationtimems < 0:
                            raise Invalid
                if 'additional_details' in data__performance_keys:
                    data__performance_keys.remove('additional_details')
                    data__performance__additionaldetails = data__performance['additional_details']
                    if not isinstance(data__performance__additionaldetails, (dict, NoneType)):
                        raise Invalid
                    data__performance__additionaldetails_is_dict = isinstance(data__performance__additionaldetails, dict)
                    if data__performance__additionaldetails_is_dict:
                        data__performance__additionaldetails_keys = set(data__performance__additionaldetails.keys())
                        for data__performance__additionaldetails_key in data__performance__additionaldetails_keys:
                            if data__performance__additionaldetails_key not in []:
                                data__performance__additionaldetails_value = data__performance__additionaldetails.get(data__performance__additionaldetails_key)
                                if not isinstance(data__performance__additionaldetails_value, str):
                                    raise Invalid
        if 'error' in data_keys:
            data_keys.remove('error')
            data__error = data['error']
            if not isinstance(data__error, (str, NoneType)):
                raise Invalid
        if 'metadata' in data_keys:
            data_keys.remove('metadata')
            data__metadata = data['metadata']
            if not isinstance(data__metadata, (dict, NoneType)):
                raise Invalid
            data__metadata_is_dict = isinstance(data__metadata, dict)
            if data__metadata_is_dict:
                data__metadata_keys = set(data__metadata.keys())
                for data__metadata_key in data__metadata_keys:
                    if data__metadata_key not in []:
                        data__metadata_value = data__metadata.get(data__metadata_key)
                        if not isinstance(data__metadata_value, str):
                            raise Invalid
        if data_keys:
            raise Invalid
    return data
